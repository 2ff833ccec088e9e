"""Two epochs of CIFAR-10 by one rule; prints the record of each epoch as a JSON line.

    python epoch.py DATA_FOLDER --threads 1 [--rule dfa] [--epochs 2]
"""

import argparse
import json

from learner import threads
from training import Data, run


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data")
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--rule", default="dfa")
    parser.add_argument("--epochs", type=int, default=2)
    given = parser.parse_args()
    threads(given.threads)
    for record in run(Data(given.data), given.rule, 1, given.epochs)[0]:
        print(json.dumps(record))


if __name__ == "__main__":
    main()

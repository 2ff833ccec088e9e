//! The division of a batch into chunks and threads does not change the result.

use crate::made::{ADAMW, fill, learner};
use nn::{Mlp, MlpSpec};
use rules::{Learner, Modifiers};
use tensor::random::{Purpose, Stream};

/// The last batch of an epoch may have fewer samples than there are threads.
#[test]
fn an_empty_chunk_adds_nothing() {
    for rule in rules::NAMES {
        let learner = learner(MlpSpec::resmlp(5, 8, 2, 4), rule, Modifiers::default());
        let mut chunk = learner.chunk(3);
        (chunk.x, chunk.labels) = fill(&learner, 3);
        learner.learn(&mut chunk, 3, 1);
        chunk.labels.clear();
        learner.learn(&mut chunk, 2, 1);
        assert_eq!(rules::Tally::of(std::slice::from_ref(&chunk)), rules::Tally::default(), "{rule}");
        let mut full = learner.chunk(2);
        (full.x, full.labels) = fill(&learner, 2);
        learner.learn(&mut full, 2, 1);
        let alone = learner.gradient(std::slice::from_ref(&full));
        assert_eq!(learner.gradient(&[chunk, full]), alone, "{rule}");
    }
}

/// The bytes are the same for any number of chunks and threads: with whole panels and narrow ones, and with more samples than
/// the kernel takes terms at once.
#[test]
fn chunks_and_threads_leave_no_trace() {
    for rule in rules::NAMES {
        let (d, batch) = match rule {
            "bp" => (37, 30),
            "fa" => (32, 29),
            "dfa" | "dkp" => (50, 300),
            _ => (20, 31),
        };
        let whole = learner(MlpSpec::resmlp(21, d, 2, 11), rule, Modifiers::default()).chunks_for(2) == 1;
        // They take a gradient of their own from the whole batch, or draw by position in it.
        assert_eq!(whole, rule.ends_with("bridge") || rule == "node_perturbation", "{rule}");
        let after = |chunks: usize, threads: usize| {
            let net = MlpSpec::resmlp(21, d, 2, 11).build().expect("valid");
            let modifiers = Modifiers { penalty: 1e-3, ..Modifiers::default() };
            let mut learner = Learner::<f32, Mlp>::new(net, &rule.into(), modifiers, 3).expect("known");
            let mut stream = Stream::new(9, Purpose::Teacher);
            let x: Vec<f32> = (0..batch * 21).map(|_| stream.normal() as f32).collect();
            let labels: Vec<u8> = (0..batch).map(|_| stream.below(11) as u8).collect();
            let mut parts: Vec<_> = (0..chunks)
                .map(|i| {
                    let rows = batch * i / chunks..batch * (i + 1) / chunks;
                    let mut chunk = learner.chunk(rows.len());
                    chunk.x.copy_from_slice(&x[rows.start * 21..rows.end * 21]);
                    chunk.labels = labels[rows].to_vec();
                    chunk
                })
                .collect();
            for t in 1..=3 {
                parts.iter_mut().for_each(|chunk| {
                    learner.learn(chunk, batch, t);
                });
                learner.descend(t, ADAMW, &parts, threads).expect("finite gradients");
            }
            let own = learner.rule.saved().iter().flat_map(|saved| &saved.values);
            let bits: Vec<u32> = learner.params.iter().chain(own).map(|p| p.to_bits()).collect();
            (bits, rules::Tally::of(&parts).loss.to_bits())
        };
        let one = after(1, 1);
        let cases = [(1, 2), (1, 5), (2, 2), (3, 1), (4, 3), (7, 5)];
        for (chunks, threads) in cases.into_iter().filter(|(chunks, _)| !whole || *chunks == 1) {
            assert!(after(chunks, threads) == one, "{rule}: {chunks} chunks on {threads} threads");
        }
    }
}

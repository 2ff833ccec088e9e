//! What the symbols of a diagram mean, as far as they occur in it.

use crate::plot::{Lane, Network};
use record::route::{Carrier, Predicted, Route, Source};

pub(super) fn key(lanes: &[Lane], network: &Network) -> String {
    let has = |wanted: fn(Route) -> bool| lanes.iter().any(|lane| wanted(lane.route));
    let nets = |gradient: bool| {
        lanes.iter().any(|lane| matches!(lane.route, Route::Net(_)) && lane.reads_gradient == gradient)
    };
    let mut parts = vec!["marker: credit of the unit that makes $h_l$".to_owned()];
    let mut say = |is_shown: bool, words: &str| {
        if is_shown {
            parts.push(words.to_owned());
        }
    };
    let at_top = has(|route| matches!(route, Route::Chain(_) | Route::Nudge)) || nets(true);
    say(at_top, "$p_L$: gradient at $h_L$");
    let error = has(|route| matches!(route, Route::Direct(Source::Error, _))) || nets(false);
    say(error, "$e_T$: error at the output");
    say(has(|route| matches!(route, Route::Direct(Source::Label, _))), "$y$: label");
    say(
        has(|route| route == Route::Noise),
        "$\\Delta\\mathcal{L}$: change of the loss along the noise $\\xi$",
    );
    let fixed = |route| matches!(route, Route::Chain(Carrier::Fixed) | Route::Direct(_, Carrier::Fixed));
    say(has(fixed), "$B_l$: random and fixed");
    say(has(|route| matches!(route, Route::Chain(Carrier::Signs))), "sgn: signs of $W^\\top$");
    let learned =
        |route| matches!(route, Route::Chain(Carrier::Learned) | Route::Direct(_, Carrier::Learned));
    say(has(learned), "double frame: learned");
    say(has(|route| route == Route::Net(Predicted::State)), "$G$: net that predicts $h_L$");
    say(has(|route| route == Route::Net(Predicted::Loss)), "$V$: net that predicts the loss");
    say(has(|route| route == Route::Nudge), "springs: energy of an imbalance");
    let shared = has(|route| matches!(route, Route::Direct(..) | Route::Net(_)));
    say(shared && !network.blocks.is_empty(), "$=$: the same");
    parts.join("; ")
}

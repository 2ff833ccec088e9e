//! `creditscope sweep`.

mod collect;
mod hand_out;
mod json;
mod place;
mod reasons;
mod status;
mod work;

pub(super) use hand_out::hand_out;
pub(super) use place::{Place, can_be_planned};
pub(super) use status::{ago, next, together, words};

use crate::args::{Sweep, SweepAction};
use crate::call::Call;
use crate::failure::Failure;
use crate::show;
use ::sweep::{Wanted, cancel, survey};

pub(crate) fn run(args: &Sweep, call: Call<'_>) -> Result<(), Failure> {
    match &args.action {
        SweepAction::Plan { recipe, chosen, data } => {
            let place = place::planned(recipe, chosen, data.as_deref(), call.host)?;
            show::print(&hand_out::planned(&place));
            Ok(())
        }
        SweepAction::Submit { what, chosen, handing } => {
            let place = place::planned(&what.what, chosen, handing.data.as_deref(), call.host)?;
            hand_out::run(&place, handing, Wanted::New, call)
        }
        SweepAction::Resume { what, handing } => {
            hand_out::run(&place::found(&what.what)?, handing, Wanted::Missing, call)
        }
        SweepAction::Status { what, json, asking } => status::run(&place::found(&what.what)?, *json, *asking),
        SweepAction::Cancel { what, asking } => {
            let place = place::found(&what.what)?;
            let slurm = place::slurm(*asking);
            let jobs = cancel(&survey(&place.folder, &place.manifest, &slurm)?, &slurm)?;
            let list = jobs.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
            show::print(&match jobs.len() {
                0 => "No job of this sweep is in the queue.\n".to_owned(),
                _ => format!(
                    "Cancelled {list}. What was trained is saved; go on with:  creditscope sweep resume {}\n",
                    place.given()
                ),
            });
            Ok(())
        }
        SweepAction::Collect { what, csv, asking } => {
            collect::run(&place::found(&what.what)?, csv.as_deref(), *asking)
        }
        SweepAction::Work(args) => work::run(args, call),
    }
}

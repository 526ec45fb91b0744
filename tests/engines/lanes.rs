//! The kernel against the interpreter, trial by trial: see [`wrong_lane`].

use crate::lanes_support::wrong_lane;
use crate::ways::{plan, ruleset};
use crate::written_out::{files, plans, sound};
use houserule::diagnostic::{Diagnostics, Sources};
use houserule::kernel;
use houserule::plan::{Chunk, ContentId, Plan};
use houserule::scenario;

#[test]
fn lanes_of_shipped_scenarios_end_as_the_rules_say_with_their_dice() {
    let mut wrong = Vec::new();
    let mut played = 0;
    for path in files("scenarios", "toml") {
        let (mut sources, mut found) = (Sources::default(), Diagnostics::default());
        let scenario = scenario::load(&path, &mut sources, &mut found).unwrap();
        for (variant, plans) in scenario.variants.iter().zip(Plan::all(&scenario)) {
            for plan in plans.iter().step_by(1 + plans.len() / 20) {
                played += 1;
                let told = |what| format!("{} {} {:?}: {what}", path.display(), variant.name, plan.situation);
                wrong.extend(wrong_lane(plan, 1_500).map(told));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {played}:\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n"));
}

#[test]
fn lanes_of_rules_of_every_sort_end_as_the_rules_say_with_their_dice() {
    let (mut wrong, mut played) = (Vec::new(), 0);
    for path in files("tests/cases", "rules").into_iter().chain(files("scenarios", "rules")) {
        let Some(rules) = sound(&path) else { continue };
        for plan in plans(&rules) {
            played += 1;
            let test = &rules.tests[plan.entry.0].name;
            let told = |what| format!("{} {test} {:?}: {what}", path.display(), plan.situation);
            wrong.extend(wrong_lane(&plan, 200).map(told));
        }
    }
    assert!(wrong.is_empty(), "{} of {played}:\n{}", wrong.len(), wrong[..wrong.len().min(8)].join("\n"));
    assert!(played > 1_000);
}

/// By `tests/independent/streams.py`, which follows docs/streams.md.
#[test]
fn the_recipe_of_the_dice_of_a_chunk_never_changes() {
    #[rustfmt::skip]
    let frozen: [(&str, &[u32], u64); 7] = [
        ("2d6", &[
            2, 5, 2, 5, 3, 1, 6, 4, 4, 1, 3, 1, 6, 5, 2, 1, 1, 4, 5, 4, 5, 1, 1, 6, 6, 4, 6, 6, 5, 4, 4, 2,
        ], 0x0bc7_5f9c_6044_41e4),
        ("d10", &[3, 3, 4, 10, 6, 4, 10, 2, 1, 8, 7, 2, 10, 10, 8, 6], 0x77a8_a237_052c_7929),
        ("d1000", &[
            293, 293, 335, 919, 504, 359, 962, 189, 90, 755, 678, 153, 936, 993, 768, 552,
        ], 0xbaa3_ebfe_2d08_ef1f),
        ("3d10", &[], 0x4623_1305_9f36_5786),
        ("30d2", &[], 0x19cc_5e0c_0f30_35f9),
        ("7d6 count 4+", &[], 0xeb93_9705_e0fc_8406),
        ("5d10 count 5..8", &[], 0x5359_7aea_305d_b542),
    ];
    for (roll, first, all) in frozen {
        let rules = format!("ruleset \"r\"\ntest t -> number {{ return {roll} }}");
        let id = ContentId(std::array::from_fn(|byte| byte as u8));
        let plan = Plan { id, ..plan(&ruleset(&rules), "t") };
        let (_, dice) = kernel::trials(&plan, Chunk { seed: 1815, number: 7, trials: 3_000 }).unwrap();
        let dice: Vec<u32> = dice.into_iter().flatten().map(|(_, face)| face).collect();
        assert_eq!(dice[..first.len()], *first, "{roll}");
        let summed = |sum: u64, die: &u32| sum.wrapping_mul(31).wrapping_add((*die).into());
        assert_eq!(dice.iter().fold(0, summed), all, "{roll}");
    }
}

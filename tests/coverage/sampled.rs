//! Coverage by simulated repetitions.

use crate::Coverage;
use crate::binomial::Binomial;
use crate::exactly::{changes, grid, pairs};
use houserule::analyse::{ERROR, Known, Part, Probe, Ruling, conditions, judge};
use houserule::analyse::{
    Figure, LEVEL, Sense, Standing, analyse, apart, effect, estimated, newcombe, paired, summary, wilson,
};
use houserule::plan::{ContentId, Counts, Probability, Relation, Sample};
use houserule::random::Generator;
use std::collections::BTreeMap;

/// Dice for one row of a table.
pub(crate) fn dice(row: u8, trials: u64) -> Generator {
    Generator::new(1815, &[row; 32], trials, 0)
}

/// In how many of so many repetitions an interval holds the truth, as a share.
pub(crate) fn held(repetitions: u32, truth: f64, mut interval: impl FnMut() -> (f64, f64)) -> f64 {
    let holds = |_: &u32| {
        let (low, high) = interval();
        low <= truth + 1e-12 && high >= truth - 1e-12
    };
    f64::from((0..repetitions).filter(holds).count() as u32) / f64::from(repetitions)
}

/// Wilson, Newcombe and the paired interval at so many trials; the last where that does not take minutes.
pub(crate) fn all(repetitions: u32, trials: u64, z: f64) -> [Option<Coverage>; 6] {
    let mut dice = dice(1, trials);
    let mut single = |p: f64| {
        let counts = Binomial::new(trials, p);
        (held(repetitions, p, || wilson(counts.draw(&mut dice), trials, z)), String::new())
    };
    let wilson = Coverage::new(grid(99).into_iter().map(&mut single));
    let mut two = |[p, q]: [f64; 2]| {
        let [first, second] = [p, q].map(|p| Binomial::new(trials, p));
        let mut one = || newcombe((first.draw(&mut dice), trials), (second.draw(&mut dice), trials), z);
        (held(repetitions, p - q, &mut one), String::new())
    };
    let newcombe = Coverage::new(pairs(21).into_iter().map(&mut two));
    let mut step = |[gain, lose]: [f64; 2]| {
        let first = Binomial::new(trials, gain);
        let mut one = || {
            let gained = first.draw(&mut dice);
            let lost = Binomial::new(trials - gained, (lose / (1.0 - gain)).min(1.0)).draw(&mut dice);
            paired(gained, lost, trials, z)
        };
        (held(repetitions, gain - lose, &mut one), String::new())
    };
    let paired = (trials <= 1000).then(|| Coverage::new(changes(6).into_iter().map(&mut step)));
    [Some(wilson), Some(newcombe), paired, None, None, None]
}

/// What numbers can be, each with its probability.
type Numbers = Vec<(i64, f64)>;

/// Numbers such as tests record, by what they are.
pub(crate) fn numbers() -> Vec<(&'static str, Numbers)> {
    let two_dice = (2..=12).map(|sum: i64| (sum, (6 - (sum - 7).abs()) as f64 / 36.0)).collect();
    // up to 25 tries, each of which ends it with one in three
    let mut tries: Numbers = (1..=25).map(|tries| (tries, 0.0)).collect();
    let mut left = 1.0;
    for (at, (_, weight)) in tries.iter_mut().enumerate() {
        *weight = if at < 24 { left / 3.0 } else { left };
        left -= *weight;
    }
    vec![
        ("one die", (1..=6).map(|face| (face, 1.0 / 6.0)).collect()),
        ("two dice", two_dice),
        ("attempts at one in three", tries),
        ("20 once in 20, else nothing", vec![(0, 0.95), (20, 0.05)]),
        ("1 once in 100, else nothing", vec![(0, 0.99), (1, 0.01)]),
        ("1 once in 1,000, else nothing", vec![(0, 0.999), (1, 0.001)]),
    ]
}

/// From where to where a number can be.
fn reach(numbers: &Numbers) -> Option<(i64, i64)> {
    Some((numbers.first()?.0, numbers.last()?.0))
}

fn mean_of(numbers: &Numbers) -> f64 {
    numbers.iter().map(|(value, weight)| *value as f64 * weight).sum()
}

/// Draws so many trials of a number again and again.
fn drawing(numbers: &Numbers, trials: u64) -> impl Fn(&mut Generator) -> Counts {
    let share = |p: f64| if p > 1.0 - 1e-9 { 1.0 } else { p };
    let first = Binomial::new(trials, share(numbers[0].1));
    move |dice| {
        let (mut counts, mut left, mut rest) = (BTreeMap::new(), trials, 1.0);
        for (at, (value, weight)) in numbers.iter().enumerate() {
            let count = match at {
                0 => first.draw(dice),
                _ => Binomial::new(left, share(weight / rest)).draw(dice),
            };
            if count > 0 {
                counts.insert(*value, count);
            }
            (left, rest) = (left - count, rest - weight);
        }
        Counts { trials, counts }
    }
}

/// How often the interval of a mean holds it.
pub(crate) fn of_mean(repetitions: u32, trials: u64, numbers: &Numbers, z: f64) -> f64 {
    let (mut dice, draw) = (dice(2, trials), drawing(numbers, trials));
    let interval =
        || summary(&draw(&mut dice), reach(numbers), z).map_or((0.0, 0.0), |one| (one.low, one.high));
    held(repetitions, mean_of(numbers), interval)
}

/// How often the interval of a difference of means holds it; the other number is the same, but one higher.
pub(crate) fn of_apart(repetitions: u32, trials: u64, numbers: &Numbers, z: f64) -> f64 {
    let mut dice = dice(3, trials);
    let higher: Numbers = numbers.iter().map(|(value, weight)| (value + 1, *weight)).collect();
    let [draw_higher, draw] = [&higher, numbers].map(|numbers| drawing(numbers, trials));
    let interval = || {
        let (one, other) = (draw_higher(&mut dice), draw(&mut dice));
        apart((&one, reach(&higher)), (&other, reach(numbers)), z)
            .map_or((0.0, 0.0), |apart| (apart.low, apart.high))
    };
    held(repetitions, 1.0, interval)
}

/// What `houserule sensitivity` asks of a plan, before and after a change.
pub(crate) struct Asked {
    /// What it is.
    pub(crate) name: &'static str,
    /// Whether the figure is the probability of not 0; else it is the mean.
    share: bool,
    both: [Numbers; 2],
}

/// Changes such as sensitivity makes, by what they change.
pub(crate) fn asked() -> Vec<Asked> {
    let often = |value: i64, p: f64| vec![(0, 1.0 - p), (value, p)];
    let share = |name, p, q| Asked { name, share: true, both: [often(1, p), often(1, q)] };
    let mean = |name, value, p, q| Asked { name, share: false, both: [often(value, p), often(value, q)] };
    let two_dice = numbers().swap_remove(1).1;
    let higher = two_dice.iter().map(|(value, weight)| (value + 1, *weight)).collect();
    vec![
        share("share, 40 % to 50 %", 0.4, 0.5),
        share("share, 5 % to 2 %", 0.05, 0.02),
        share("share, 0.1 % to 0.2 %", 0.001, 0.002),
        Asked { name: "mean, two dice", share: false, both: [two_dice, higher] },
        mean("mean, 20 once in 20 to in 50", 20, 0.05, 0.02),
        mean("mean, 1 once in 1,000 to in 500", 1, 0.001, 0.002),
    ]
}

/// How often the interval of a mean effect over so many situations holds it.
pub(crate) fn of_effect(repetitions: u32, trials: u64, asked: &Asked, situations: usize) -> f64 {
    let mut dice = dice(6, trials);
    let pairs: Vec<(usize, usize)> = (0..situations).map(|at| (2 * at, 2 * at + 1)).collect();
    let some = |key: i64| key != 0;
    let [before, after] = asked.both.each_ref().map(|numbers| drawing(numbers, trials));
    let probe = if asked.share { Probe::Share(&some) } else { Probe::Mean };
    let figure = |counts: &Counts| estimated((counts, reach(&asked.both[0])), probe).unwrap();
    let interval = || {
        let figures: Vec<Figure> =
            (0..situations).flat_map(|_| [&before(&mut dice), &after(&mut dice)].map(figure)).collect();
        effect(&pairs, |at: usize| figures.get(at), LEVEL).unwrap().interval.unwrap()
    };
    held(repetitions, mean_of(&asked.both[1]) - mean_of(&asked.both[0]), interval)
}

/// A run in which drafts and baseline play alike without anybody knowing: in how many of so many runs any comparison tells
/// them apart, and in how many any order is called anything.
pub(crate) fn of_families(repetitions: u32, trials: u64, situations: usize) -> [f64; 2] {
    let mut dice = dice(4, trials);
    let outcomes: Numbers = vec![(0, 0.5), (1, 0.25), (2, 0.2), (3, 0.04), (4, 0.01)];
    let draw = drawing(&outcomes, trials);
    let mut sample = |plan: u8| {
        let measures = vec![draw(&mut dice)];
        Sample { id: ContentId([plan; 32]), trials, unresolved: 0, measures, joint: BTreeMap::new() }
    };
    let mut alarms = [0_u32; 2];
    for _ in 0..repetitions {
        let rows: Vec<Vec<Sample>> =
            [1, 2].map(|plan| (0..situations).map(|_| sample(plan)).collect()).into();
        let mut analysis = analyse(&rows, 0, &[Some(5)], LEVEL);
        analysis.relate(&[Some(Sense::BestFirst(vec![0, 1, 2, 3, 4]))]);
        alarms[0] += u32::from(analysis.comparisons.iter().any(|one| one.p_adjusted < 1.0 - LEVEL));
        alarms[1] += u32::from(analysis.orders.iter().any(|order| order.verdict != Standing::Open));
    }
    alarms.map(|alarms| f64::from(alarms) / f64::from(repetitions))
}

/// A claim that a probability `p` is less than another, `q`, judged after so many trials of each and each time these have
/// doubled, until it is decided: how often it is called right and wrong, and the trials that takes on average.
pub(crate) fn of_claims(repetitions: u32, first: u64, looks: u32, [p, q]: [f64; 2]) -> [f64; 3] {
    let mut dice = dice(5, (p * 1e6) as u64 + u64::from(looks));
    let asked = conditions(Relation::Less, None, &Probability::ONE);
    let one = |key: i64| key == 1;
    let error = ERROR / f64::from(looks);
    let rounds: Vec<[Binomial; 2]> =
        (0..looks).map(|look| [p, q].map(|p| Binomial::new(first << look.saturating_sub(1), p))).collect();
    let (mut rulings, mut played) = ([0_u32; 2], 0.0);
    for _ in 0..repetitions {
        let mut counted = [0, 0];
        for (look, round) in rounds.iter().enumerate() {
            let trials = first << look;
            counted.iter_mut().zip(round).for_each(|(count, round)| *count += round.draw(&mut dice));
            let counts =
                counted.map(|count| Counts { trials, counts: [(0, trials - count), (1, count)].into() });
            let part = |side: usize| Part {
                shares: [0, 1].map(|at| if at == side { Probability::ONE } else { Probability::ZERO }),
                known: Known::Counted(&counts[side], Probe::Share(&one), None),
                own: false,
            };
            let ruling = judge(&asked, &[part(0), part(1)], error).ruling;
            if ruling != Ruling::Undecided || look + 1 == rounds.len() {
                rulings[0] += u32::from(ruling == Ruling::Holds);
                rulings[1] += u32::from(ruling == Ruling::Fails);
                played += trials as f64;
                break;
            }
        }
    }
    let share = |count: u32| f64::from(count) / f64::from(repetitions);
    let [right, wrong] = if p < q { rulings } else { [rulings[1], rulings[0]] };
    [share(right), share(wrong), played / f64::from(repetitions)]
}

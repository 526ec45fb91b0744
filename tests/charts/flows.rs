//! What becomes of outcomes on the same dice.

use super::*;

/// Flows with made-up shares: all trials but `rest` of each panel.
fn flows(panels: &[String], drafts: [&str; 2], labels: &[String], rest: f64) -> Flows {
    let count = labels.len() + 1;
    let panel = |(at, title): (usize, &String)| {
        let (from, to) = (shares(labels.len(), at), shares(labels.len(), at + 4));
        let mut all = vec![vec![Share::default(); count]; count];
        for (row, from) in all.iter_mut().zip(&from) {
            row.iter_mut().zip(&to).for_each(|(cell, to)| *cell = Share::exactly(from * to * (1.0 - rest)));
        }
        all[labels.len()][0] = Share::exactly(rest);
        FlowPanel { title: title.clone(), names: drafts.map(str::to_owned), shares: all }
    };
    let caption = outcomes(&names(&[""]), &names(&[""]), &names(&[""]), labels).caption;
    let panels = panels.iter().enumerate().map(panel).collect();
    Flows { caption, outcomes: labels.to_vec(), panels }
}

/// Flows that are hard to lay out, by name.
pub(super) fn hard_flows() -> Vec<(&'static str, Flows)> {
    let long = "A draft of the break test with a name that goes on beyond any column there is";
    let many = numbered("A result with a longer name", 12);
    let mut still = flows(&names(&[""]), ["Original", "Modified"], &break_results(), 0.0);
    for (from, row) in still.panels[0].shares.iter_mut().enumerate() {
        row.iter_mut()
            .enumerate()
            .for_each(|(to, cell)| *cell = Share::exactly(if from == to && to < 4 { 0.25 } else { 0.0 }));
    }
    vec![
        (
            "flow_one",
            flows(&names(&["Infantry under fire"]), ["Original", "Modified"], &break_results(), 0.0),
        ),
        ("flow_four", flows(&numbered("Troop", 4), ["Original", "Modified"], &break_results(), 0.1)),
        (
            "flow_long",
            flows(
                &numbered("A heading that does not end before the next one begins", 5),
                [long, long],
                &many,
                0.02,
            ),
        ),
        ("flow_still", still),
    ]
}

#[test]
fn ribbons_join_what_the_same_dice_give() {
    let labels = names(&["Hold", "Retreat", "Break"]);
    let mut figure = flows(&names(&[""]), ["Original", "Modified"], &labels, 0.0);
    let mut shares = vec![vec![Share::default(); 4]; 4];
    // what held holds, all that broke retreats
    (shares[0][0], shares[2][1]) = (Share::exactly(0.25), Share::exactly(0.75));
    figure.panels[0].shares = shares;
    let svg = drawn(&Figure::Flows(figure)).unwrap();
    let pixels = Pixmap::decode_png(&raster(&svg)).unwrap();
    let found = texts_of(&svg);
    let key = |words| {
        let place = place_of(&found, words);
        colour(&pixels, (place.left() - 19.0, middle(&place).1))
    };
    let (hold, retreat, broken) = (key("Hold"), key("Retreat"), key("Break"));
    let (left, right) =
        (place_of(&found, "Original").left() + 4.0, place_of(&found, "Modified").right() - 4.0);
    let quarter = found.iter().find(|(words, _)| words == "25%").unwrap().1;
    let upper = middle(&quarter).1;
    let lower = upper + 200.0;
    assert_eq!([colour(&pixels, (left, upper)), colour(&pixels, (right, upper))], [hold; 2]);
    assert_eq!(colour(&pixels, (left, lower)), broken);
    assert_eq!(colour(&pixels, (right, lower)), retreat);
    // a ribbon is half as dark as where it comes from
    let half = |part: u8| (f32::from(part) / 2.0 + 127.5) as u8;
    let ribbon = colour(&pixels, ((left + right) / 2.0, lower));
    let near = |a: u8, b: u8| a.abs_diff(b) <= 2;
    assert!(near(ribbon.0, half(broken.0)) && near(ribbon.2, half(broken.2)), "{ribbon:?} of {broken:?}");
}

#[test]
fn a_flow_that_does_not_fit_its_labels_is_refused() {
    let refused = |change: fn(&mut Flows)| {
        let mut figure = flows(&numbered("Panel", 2), ["one", "two"], &break_results(), 0.0);
        change(&mut figure);
        drawn(&Figure::Flows(figure)).unwrap_err()
    };
    assert_eq!(refused(|figure| figure.panels.clear()), ChartError::Empty("panels"));
    let misfit = |what, found| ChartError::Misfit { panel: 2, what, found, expected: 5 };
    assert_eq!(refused(|figure| figure.panels[1].shares.truncate(4)), misfit("rows", 4));
    assert_eq!(refused(|figure| figure.panels[1].shares[2].truncate(3)), misfit("columns", 3));
    let error = refused(|figure| figure.panels[0].shares[0][0].value = 1.5);
    assert!(matches!(error, ChartError::NotAShare { panel: 1, .. }), "{error}");
}

//! What cannot be drawn.

use super::*;

#[test]
fn what_cannot_be_drawn_is_refused_and_not_guessed() {
    let refused = |change: fn(&mut Outcomes)| {
        let mut figure = eight_panels();
        change(&mut figure);
        drawn(&Figure::Outcomes(figure)).unwrap_err()
    };
    assert_eq!(refused(|figure| figure.panels.clear()), ChartError::Empty("panels"));
    assert_eq!(refused(|figure| figure.outcomes.clear()), ChartError::Empty("outcomes"));
    let misfit = |what, found, expected| ChartError::Misfit { panel: 2, what, found, expected };
    assert_eq!(refused(|figure| figure.panels[1].shares.truncate(3)), misfit("situations", 3, 5));
    assert_eq!(refused(|figure| figure.panels[1].shares[4].truncate(1)), misfit("variants", 1, 2));
    assert_eq!(
        refused(|figure| figure.panels[1].shares[4][1] = Some(segments(vec![1.0]))),
        misfit("outcomes", 1, 4)
    );
    for wrong in [f64::NAN, f64::INFINITY, -0.1, 1.1] {
        let mut figure = eight_panels();
        figure.panels[2].shares[0][0] = Some(segments(vec![0.0, wrong, 0.0, 0.0]));
        let error = drawn(&Figure::Outcomes(figure)).unwrap_err();
        assert!(matches!(error, ChartError::NotAShare { panel: 3, .. }), "{error}");
        let mut figure = curve(&names(&["one"]), &names(&["Original"]), 4);
        figure.panels[0].points[0][2].share.low = wrong;
        let error = drawn(&Figure::Curve(figure)).unwrap_err();
        assert!(matches!(error, ChartError::NotAShare { panel: 1, .. }), "{error}");
    }
    let too_much = refused(|figure| figure.panels[0].shares[0][0] = Some(segments(vec![0.5, 0.5, 0.5, 0.0])));
    assert_eq!(too_much, ChartError::NotAShare { panel: 1, value: 1.5 });
    assert_eq!(drawn(&Figure::Curve(Curve::default())), Err(ChartError::Empty("variants")));
    let without_points = curve(&[], &names(&["Original"]), 4);
    assert_eq!(drawn(&Figure::Curve(without_points)), Err(ChartError::Empty("panels")));
    assert!(matches!(rasterise("not a picture", 1.0), Err(ChartError::Refused(_))));
}

#[test]
fn a_figure_for_a_wall_is_refused_with_its_height() {
    let figure = outcomes(&names(&[""]), &numbered("S", 1500), &names(&["x"]), &names(&["a", "b"]));
    let error = drawn(&Figure::Outcomes(figure)).unwrap_err();
    assert!(matches!(error, ChartError::TooTall { height: 50_000..70_000, most: 30_000 }), "{error}");
}

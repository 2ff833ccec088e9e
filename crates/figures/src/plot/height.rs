//! A figure of a given height: plot areas become higher or lower until the page is.

use super::error::DrawError;
use super::layout::Layout;
use super::style::Style;

/// The lowest and the highest plot areas, as shares of their width.
const ASPECTS: [f64; 2] = [0.14, 6.0];
/// A page may end this far above the wanted height, in points; white is added below.
const NEAR: f64 = 0.4;
/// Pages are laid out so often at most; two are enough where nothing wraps differently.
const TURNS: usize = 14;

/// The layout at the height of the style; `with` makes one whose height follows from the aspect of the plot areas, which is
/// `aspect` if nothing else is asked for.
pub(super) fn fitted(
    aspect: f64,
    style: &Style,
    with: impl Fn(f64) -> Result<Layout, DrawError>,
) -> Result<Layout, DrawError> {
    let natural = with(aspect)?;
    let wanted = match (style.height, style.tallest) {
        (Some(height), _) => height,
        (None, Some(tallest)) if natural.height > tallest => tallest,
        _ => return Ok(natural),
    };
    let inches = |points: f64| points / 72.0;
    let mut below = (ASPECTS[0], with(ASPECTS[0])?);
    if below.1.height > wanted {
        let least = inches(below.1.height);
        let is_refused = style.height.is_some() || style.strict;
        return if is_refused { Err(DrawError::Low { height: inches(wanted), least }) } else { Ok(below.1) };
    }
    let mut above = (aspect, natural.height);
    if natural.height <= wanted {
        below = (aspect, natural);
        above = (ASPECTS[1], with(ASPECTS[1])?.height);
    }
    if above.1 < wanted {
        return Err(DrawError::High { height: inches(wanted), most: inches(above.1) });
    }
    for turn in 0..TURNS {
        if wanted - below.1.height < NEAR {
            break;
        }
        // Heights grow in proportion to the aspect, but for words that wrap differently; then halves are safe.
        let share = (wanted - 0.5 * NEAR - below.1.height) / (above.1 - below.1.height);
        let share = if turn % 3 == 2 { 0.5 } else { share.clamp(0.02, 0.98) };
        let aspect = below.0 + share * (above.0 - below.0);
        let next = with(aspect)?;
        if next.height <= wanted { below = (aspect, next) } else { above = (aspect, next.height) }
    }
    Ok(Layout { height: if style.height.is_some() { wanted } else { below.1.height }, ..below.1 })
}

//! Pictures of the user: drawn faithfully, or refused by name.

mod drawn;
mod made;
mod refused;

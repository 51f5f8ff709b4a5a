// Headings under which help lists the flags of serve. They stand here because tables of several files share one.
export const LISTENER = 'Listening';
export const STORAGE = 'Storage and names';
export const FEATURES = 'Features';
export const ACCESS = 'Who may do what';
export const CONTROLLERS = 'Controllers';
export const LIMITS = 'Limits';

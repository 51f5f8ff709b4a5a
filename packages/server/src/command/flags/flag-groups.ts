// Headings of the flags of serve in the help text, shared by the tables of several files.
export const LISTENER = 'Listeners';
export const STORAGE = 'Storage';
export const FEATURES = 'Features';
export const ACCESS = 'Authentication and authorization';
export const CONTROLLERS = 'Controllers';
export const LIMITS = 'Limits';
export const AGGREGATION = 'Aggregated APIs';
export const AUDIT = 'Auditing';
export const LOGGING = 'Logging';

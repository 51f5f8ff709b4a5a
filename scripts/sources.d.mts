/** Whether everything is built, after the last change of a source. */
export declare function isBuildCurrent(): boolean;

export { emulatedRelease, type ReleaseEmulation } from './withdrawn/emulate-release.ts';
export { type ManifestEdit, type ManifestMigration, migrateManifest } from './withdrawn/migrate-manifest.ts';
export {
  type FieldChanges as WithdrawnFieldChanges,
  revisedSchema,
} from './withdrawn/revised-schema.ts';
export { type VersionForm, type VersionForms, versionForms } from './withdrawn/version-form.ts';
export {
  type VersionDifferences,
  type WithdrawnVersion,
  withdrawnVersion,
} from './withdrawn/withdrawn-version.ts';
export { withdrawnVersions } from './withdrawn/withdrawn-versions.ts';

import type { Config } from "./config";
import { schemaErrors, versions } from "./schema";
import { diskErrors } from "./validation/disks";
import { duplicateErrors } from "./validation/duplicates";
import { nodeErrors } from "./validation/nodes";
import { proxyErrors, resourceErrors } from "./validation/resources";
import { unitErrors } from "./validation/units";

/**
 * All errors in a config, each with its path: `storage.files[2].mode must be … (got …)`.
 *
 * Includes what Ignition refuses, and what it accepts but cannot process: unknown keys, invalid compressed contents,
 * and a wrong hash of inline contents.
 */
export function validate(config: Config): string[] {
    const version: unknown = config?.ignition?.version;
    // Alone: all keys of another specification would look wrong.
    if (version !== undefined && !versions.includes(version as string)) return [wrongVersion(version)];
    const errors = schemaErrors(config, version as string);
    if (errors.length > 0) {
        return errors;
    }
    const { config: parts, security, proxy } = config.ignition;
    return [
        ...(parts?.merge ?? []).flatMap((part, i) => resourceErrors(`ignition.config.merge[${i}]`, part, "required")),
        ...resourceErrors("ignition.config.replace", parts?.replace),
        ...(security?.tls?.certificateAuthorities ?? []).flatMap((part, i) =>
            resourceErrors(`ignition.security.tls.certificateAuthorities[${i}]`, part, "required"),
        ),
        ...proxyErrors(proxy),
        ...nodeErrors(config),
        ...diskErrors(config),
        ...unitErrors(config),
        ...duplicateErrors(config),
    ];
}

function wrongVersion(version: unknown): string {
    const [major = 0, minor = 0] = String(version).split(".").map(Number);
    const isNewer = major > 3 || (major === 3 && minor > 5);
    const hint = isNewer ? "lower the version in the Butane config" : "convert it with ign-converter";
    const way = typeof version === "string" && (isNewer || major < 3) ? `: ${hint}` : "";
    return `ignition.version must be one of ${versions.join(", ")} (got ${version})${way}`;
}

/** Throws an error that lists everything wrong with a config. */
export function assertValid(config: Config): void {
    const errors = validate(config);
    if (errors.length > 0) {
        throw new Error(errors.join("; "));
    }
}

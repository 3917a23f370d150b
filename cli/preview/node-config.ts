import { type Config, diffable } from "../../ignition";
import { cloudConfigFiles } from "./cloud-config";
import { isObject } from "./differences";
import { isForRootAlone, withoutSecrets } from "./public-parts";
import { unfolded } from "./unfolded";

/** What a machine boots with, by file, unit and setting. */
export interface NodeConfig {
    readonly texts: Readonly<Record<string, string>>;
    /** Those of them that root alone may read on the machine: keys and tokens are nowhere else. */
    readonly isHidden: (name: string) => boolean;
}

/** Reads an Ignition config or a #cloud-config, in base64 too; undefined if a value is neither, or points to one only. */
export function readNodeConfig(value: unknown): NodeConfig | undefined {
    const config = unfolded(value);
    if (isObject(config) && isObject(config.ignition) && typeof config.ignition.version === "string") {
        const { config: pointer } = config.ignition;
        if (isObject(pointer) && "replace" in pointer) return undefined;
        return ofIgnition(config as unknown as Config);
    }
    return typeof config === "string" && config.startsWith("#cloud-config") ? cloudConfigFiles(config) : undefined;
}

function ofIgnition(config: Config): NodeConfig {
    const hidden = (config.storage?.files ?? []).filter(({ mode }) => isForRootAlone(mode ?? 0o644));
    const paths = new Set(hidden.map(({ path }) => path));
    return { texts: diffable(withoutSecrets(config)), isHidden: (name) => paths.has(name) };
}

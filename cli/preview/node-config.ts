import { gunzipSync } from "node:zlib";
import { parse } from "yaml";
import { type Config, diffable } from "../../ignition";
import { isForRootAlone, isObject, unfolded, withoutSecrets } from "./differences";

/** A node config by file, unit and setting. */
interface NodeConfig {
    readonly texts: Readonly<Record<string, string>>;
    /** Those that only root can read on the machine: they contain the keys and tokens. */
    readonly isHidden: (name: string) => boolean;
}

/** Parses an Ignition config or a #cloud-config, also in base64; undefined if the value is neither or only references one. */
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

interface WrittenFile {
    readonly path?: string;
    readonly permissions?: string;
    readonly content?: string;
    readonly encoding?: string;
}

/** The contents of a #cloud-config; undefined if it is not valid YAML. */
function cloudConfigFiles(text: string): NodeConfig | undefined {
    const document = parsed(text);
    if (!isObject(document)) return undefined;
    const { write_files, ...rest } = document;
    const files = (Array.isArray(write_files) ? write_files : []) as WrittenFile[];
    const modes = new Map<string, number>();
    const texts: Record<string, string> = {};
    for (const { path = "", permissions = "0644", content = "", encoding = "" } of files) {
        const mode = Number.parseInt(permissions, 8);
        const before = texts[path];
        modes.set(path, (modes.get(path) ?? 0o777) & mode);
        texts[path] = `${before ?? `mode ${mode.toString(8).padStart(4, "0")}\n`}${decoded(content, encoding)}`;
    }
    for (const [key, value] of Object.entries(withoutSecrets(rest))) {
        const lines = Array.isArray(value) ? value : [value];
        texts[key] = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
    }
    return { texts, isHidden: (name) => isForRootAlone(modes.get(name) ?? 0o644) };
}

function decoded(content: string, encoding: string): string {
    if (encoding === "") return content;
    const bytes = Buffer.from(content, "base64");
    return (encoding.startsWith("gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

function parsed(text: string): unknown {
    try {
        return parse(text);
    } catch {
        return undefined;
    }
}

import type { Config } from "./config";
import { dataUrl, decodeDataUrl } from "./data-url";
import type { File } from "./storage";

/**
 * The same config without the lines of comments in units and in shell scripts, which do not compress well.
 *
 * @param folder - of the scripts: others stay as they are
 */
export function withoutComments(config: Config, folder: string): Config {
    const { storage, systemd } = config;
    const files = storage?.files?.map((file) => (file.path.startsWith(`${folder}/`) ? shortened(file) : file));
    const units = systemd?.units?.map((unit) => ({
        ...withoutLines(unit),
        ...(unit.dropins && { dropins: unit.dropins.map(withoutLines) }),
    }));
    return {
        ...config,
        ...(files && { storage: { ...storage, files } }),
        ...(units && { systemd: { ...systemd, units } }),
    };
}

/** Source: systemd's documentation of unit files. */
function withoutLines<T extends { contents?: string | null }>(text: T): T {
    return text.contents ? { ...text, contents: text.contents.replace(/^[#;].*\n/gm, "") } : text;
}

function shortened(file: File): File {
    const { source, compression } = file.contents ?? {};
    const text = compression ? undefined : decodeDataUrl(source ?? "")?.toString();
    if (!text?.startsWith("#!/bin/sh\n")) return file;
    return { ...file, contents: { ...file.contents, source: dataUrl(text.replace(/^[ \t]*#(?!!).*\n/gm, "")) } };
}

import type { Config } from "./config";
import { dataUrl, decodeDataUrl, gzip, inlineContents } from "./data-url";
import type { Resource } from "./types";

/** The same config with other texts in place of some, in inline files, units and their drop-ins. */
export function replaceTexts(config: Config, values: Readonly<Record<string, string>>): Config {
    const replaced = (text: string) =>
        Object.entries(values).reduce((all, [from, to]) => all.replaceAll(from, () => to), text);
    const inResource = (resource: Resource): Resource => {
        const { source, compression } = resource;
        const bytes = source && decodeDataUrl(source) && inlineContents(source, compression);
        if (!bytes) return resource;
        const text = bytes.toString("latin1");
        const changed = replaced(text);
        if (changed === text) return resource;
        const contents = Buffer.from(changed, "latin1");
        return { ...resource, source: dataUrl(compression === "gzip" ? gzip(contents) : contents) };
    };
    const inText = <T extends { contents?: string | null }>(each: T): T =>
        each.contents ? { ...each, contents: replaced(each.contents) } : each;
    const files = config.storage?.files?.map((file) =>
        file.contents ? { ...file, contents: inResource(file.contents) } : file,
    );
    const units = config.systemd?.units?.map((unit) => ({
        ...inText(unit),
        ...(unit.dropins && { dropins: unit.dropins.map(inText) }),
    }));
    return {
        ...config,
        ...(files && { storage: { ...config.storage, files } }),
        ...(units && { systemd: { ...config.systemd, units } }),
    };
}

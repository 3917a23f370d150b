import { downloadsOption } from "../../components/nodes/download-checks";
import { type Architecture, publishedKubelet } from "../../components/nodes/published";
import { UsageError } from "../usage-error";
import { fetchChecksum } from "./fetch-checksum";
import type { UpdatesOptions } from "./options";
import type { Checksums, StackFile } from "./stack-file";

/** A file's new version. */
export interface Change {
    readonly file: StackFile;
    readonly to: string;
}

/** Hashes of kubelets that are to be written, by version: given or fetched. An error names every one that is missing. */
export async function checksumsOf(
    changes: readonly Change[],
    { checksums, isFetch }: Pick<UpdatesOptions, "checksums" | "isFetch">,
    fetchOne: (url: string) => Promise<string> = fetchChecksum,
): Promise<Readonly<Record<string, Checksums>>> {
    const needed = changes.flatMap(({ file, to }) => file.ownKubelets.map((arch) => ({ file, to, arch })));
    const versions = [...new Set(needed.map(({ to }) => to))];
    if (Object.keys(checksums).length > 0 && versions.length > 1) {
        throw new UsageError(
            `--kubelet-sha256 must be given for files of one new version, got ${versions.join(" and ")}: name the files`,
        );
    }
    const found: Record<string, Partial<Record<Architecture, string>>> = {};
    const missing: string[] = [];
    for (const { file, to, arch } of needed) {
        const of = found[to] ?? {};
        found[to] = of;
        const url = `${publishedKubelet(to, arch)}.sha256`;
        const sha256 = of[arch] ?? checksums[arch] ?? (isFetch ? await fetchOne(url) : undefined);
        if (sha256 === undefined) {
            missing.push(
                `${file.path}: ${downloadsOption(arch)}.kubelet.sha256 must be that of ${to}: give ${checksumOption(arch)}, what this prints:\n  curl -fsSL ${url}`,
            );
        } else {
            of[arch] = sha256;
        }
    }
    if (missing.length > 0) {
        throw new UsageError(`${missing.join("\n")}\nor --fetch-checksums, which asks there. Nothing was written.`);
    }
    return found;
}

/** By which the hash of a kubelet is given. */
export function checksumOption(arch: Architecture): string {
    return arch === "amd64" ? "--kubelet-sha256" : `--kubelet-sha256-${arch}`;
}

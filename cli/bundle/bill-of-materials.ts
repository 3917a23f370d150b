import type { About } from "./about";

/** An SBOM of a bundle in CycloneDX: its images and files with their checksums, not what is inside of them. */
export function billOfBundle({ tradewind, images, files }: About) {
    const parts = [
        ...images.map(({ name, digest }) => {
            const [, repository = name, tag] = /^(.+?)(?::([^:/@]+))?(?:@.*)?$/.exec(name) ?? [];
            const query = new URLSearchParams({ repository_url: repository, ...(tag && { tag }) });
            return component(
                "container",
                repository,
                tag ?? digest,
                `pkg:oci/${repository.split("/").pop()}@${encodeURIComponent(digest)}?${query}`,
                digest.replace("sha256:", ""),
            );
        }),
        ...files.map(({ url, sha256 }) => ({
            ...component(
                "file",
                new URL(url).pathname.split("/").pop()!,
                /\/v(\d[^/]*)\//.exec(url)?.[1] ?? sha256,
                `pkg:generic/${new URL(url).pathname.split("/").pop()}?${new URLSearchParams({ download_url: url, checksum: `sha256:${sha256}` })}`,
                sha256,
            ),
            externalReferences: [{ type: "distribution", url }],
        })),
    ];
    const root = { type: "application", "bom-ref": "bundle", name: "tradewind-bundle", version: tradewind };
    return {
        bomFormat: "CycloneDX",
        specVersion: "1.5",
        version: 1,
        metadata: { component: root },
        components: parts,
        dependencies: [{ ref: root["bom-ref"], dependsOn: parts.map((part) => part["bom-ref"]) }],
    };
}

function component(type: "container" | "file", name: string, version: string, purl: string, sha256: string) {
    return { type, "bom-ref": purl, name, version, purl, hashes: [{ alg: "SHA-256", content: sha256 }] };
}

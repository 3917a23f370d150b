import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { codeOf, keyOf } from "./checksum";
import { mirrorPath } from "./images";
import type { Item, Workshop } from "./item";
import { archiveLayer, type Layer } from "./layer";
import { pushImage } from "./oci";
import type { Recipe } from "./recipes";
import { debianItem } from "./rootfs";

/** Where the registry keeps its files in its storage folder. */
const STORAGE = "registry/docker/registry/v2";

/**
 * The item that makes an image and puts it into the mirror's registry.
 *
 * @param group - what `--only` selects it by
 */
export function imageItem(recipe: Recipe, group = "images"): Item {
    const { image, aliases = [], layers } = recipe;
    return {
        id: image,
        group,
        lane: "other",
        needs: [debianItem.id, ...recipe.needs],
        key: keyOf(recipe, codeOf("layer", "oci")),
        how: `assembling ${layers.length} ${layers.length === 1 ? "layer" : "layers"}`,
        tools: [{ command: "docker-registry", package: "docker-registry" }],
        make: async (workshop) => {
            const archives = await Promise.all(layers.map((layer, index) => archive(layer, index, workshop)));
            const places: string[] = [];
            for (const name of [image, ...aliases]) {
                const { repository, tag } = mirrorPath(name);
                const digests = await pushImage(await workshop.registry(), repository, tag, archives, recipe.config);
                places.push(...storedPlaces(repository, tag, digests));
            }
            return { source: "built", places: [...new Set(places)] };
        },
    };
}

async function archive(layer: Layer, index: number, { scratch, path, debianRoot }: Workshop): Promise<string> {
    const folder = join(scratch, `layer-${index}`);
    const target = `${folder}.tar`;
    await mkdir(folder);
    await archiveLayer(layer, folder, target, { cachePath: path, debianRoot });
    return target;
}

/** The files by which the registry knows an image: its blobs, the manifest first, and the links to them. */
function storedPlaces(repository: string, tag: string, digests: readonly string[]): string[] {
    const of = `${STORAGE}/repositories/${repository}`;
    const [manifest, ...others] = digests;
    return [
        `${of}/_manifests/tags/${tag}/current/link`,
        `${of}/_manifests/tags/${tag}/index/sha256/${manifest}/link`,
        `${of}/_manifests/revisions/sha256/${manifest}/link`,
        ...others.map((digest) => `${of}/_layers/sha256/${digest}/link`),
        ...digests.map((digest) => `${STORAGE}/blobs/sha256/${digest.slice(0, 2)}/${digest}/data`),
    ];
}

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { binaryPlace } from "../cache";
import { repositoryUrl } from "../clients/registry";
import { ETCD_VERSIONS, type EtcdVersion, KUBERNETES_VERSIONS, type KubernetesVersion, versions } from "../versions";
import { imagesFor, mirrorPath, type Uses, unusedImages } from "../versions/images";
import { codeOf, keyOf } from "./checksum";
import { run } from "./command";
import { conformance, conformanceRootItem, filesOfTests } from "./conformance-items";
import { conformanceRecipes } from "./conformance-recipes";
import { haproxyRootItem } from "./image-roots";
import type { DebianRoot, Item, Workshop } from "./item";
import { archiveLayer, type Layer } from "./layer";
import { e2eTests, etcd, kubernetes, parts, testParts } from "./lock";
import { pushImage } from "./oci";
import { nodeItem, pauseItem } from "./other-items";
import type { Part } from "./part";
import { itemId, partItems } from "./part-items";
import { pullImage } from "./pull";
import { pythonItem } from "./python-item";
import { commonRecipes, etcdRecipe, kubernetesRecipes, type Recipe } from "./recipes";
import { storedPlaces } from "./registry-storage";
import { debianItem, machineItem } from "./rootfs";
import { testRecipes } from "./test-recipes";
import { isFetched } from "./way";

/** Everything that clusters of these versions, and benchmarks, may need, in the best order to build it. */
export function itemsFor(
    kubernetesVersions: readonly KubernetesVersion[] = KUBERNETES_VERSIONS,
    etcdVersions: readonly EtcdVersion[] = ETCD_VERSIONS,
): Item[] {
    // The default version is among the parts.
    const otherEtcds = etcdVersions.filter((version) => version !== versions.etcd);
    return [
        debianItem,
        haproxyRootItem,
        ...Object.values(parts).flatMap((part) => partItems(part)),
        pauseItem,
        nodeItem,
        machineItem,
        ...otherEtcds.flatMap((version) => partItems(etcd(version))),
        ...kubernetesVersions.flatMap((version) => partItems(kubernetes(version))),
        ...[...commonRecipes(), ...otherEtcds.map(etcdRecipe), ...kubernetesVersions.flatMap(kubernetesRecipes)].map(
            (recipe) => imageItem(recipe),
        ),
    ];
}

/** What a cluster needs with these options; kubeadm is only what benchmarks compare it to. */
export function usedItems(items: readonly Item[], uses: Uses): Item[] {
    const images = imagesFor("");
    const unused = ["kubeadm ", ...unusedImages(uses).map((name) => images[name])];
    return items.filter(({ id }) => !unused.some((each) => id.startsWith(each)));
}

/** Everything that only tests need. */
export function testItems(): Item[] {
    return [
        ...Object.values(testParts).flatMap((part) => partItems(part)),
        pythonItem(),
        ...runtimeItems,
        ...conformanceItems(),
        ...Object.entries(testRecipes()).flatMap(([group, recipes]) =>
            recipes.map((recipe) => imageItem(recipe, group)),
        ),
    ];
}

/** Kubernetes' end-to-end tests and their images. */
function conformanceItems(): Item[] {
    return [
        ...partItems(e2eTests).map((item) => ({ ...item, group: conformance })),
        conformanceRootItem,
        filesOfTests,
        ...conformanceRecipes().map((recipe) => imageItem(recipe, conformance)),
    ];
}

/** The items of some groups and their dependencies, in the same order. */
export function selectItems(items: readonly Item[], groups: readonly string[]): Item[] {
    const known = [...new Set(items.map(({ group }) => group))];
    const unknown = groups.find((group) => !known.includes(group));
    if (unknown !== undefined) {
        throw new Error(`--only must be one of ${known.join(", ")} (got ${unknown})`);
    }
    const needed = new Set<string>();
    const need = (item: Item) => {
        needed.add(item.id);
        items.filter(({ id }) => item.needs?.includes(id) && !needed.has(id)).forEach(need);
    };
    items.filter(({ group }) => groups.includes(group)).forEach(need);
    // What is asked for is not only part of others.
    const asked = (item: Item) => (groups.includes(item.group) ? { ...item, isIntermediate: false } : item);
    return items.filter(({ id }) => needed.has(id)).map(asked);
}

/**
 * The item that builds an image and pushes it to the mirror's registry.
 *
 * @param group - what `--only` selects it by
 */
function imageItem(recipe: Recipe, group = "images"): Item {
    const { image, aliases = [], layers } = recipe;
    const names = [image, ...aliases];
    // Tests' images are others than those that are published under their names.
    const official = group === "images" ? [repositoryUrl(image)] : [];
    return {
        id: image,
        group,
        lane: "other",
        needs: [debianItem.id, ...recipe.needs],
        key: keyOf(recipe, codeOf("layer", "oci")),
        how: `assembling ${layers.length} ${layers.length === 1 ? "layer" : "layers"}`,
        tools: [{ command: "docker-registry", package: "docker-registry" }],
        needsRoot: true,
        official,
        make: async (workshop) => {
            if (isFetched({ official }, workshop.way)) {
                return { source: "official", places: await pullImage(image, names, workshop) };
            }
            const archives = await Promise.all(
                layers.map((layer, index) => archive(layer, index, recipe.root, workshop)),
            );
            const places: string[] = [];
            for (const name of names) {
                const { repository, tag } = mirrorPath(name);
                const digests = await pushImage(await workshop.registry(), repository, tag, archives, recipe.config);
                const [manifest = "", ...blobs] = digests;
                places.push(...storedPlaces({ repository, tag }, { manifests: [manifest], blobs }));
            }
            return { source: "built", places: [...new Set(places)] };
        },
    };
}

async function archive(
    layer: Layer,
    index: number,
    root: DebianRoot | undefined,
    { scratch, path, debianRoot }: Workshop,
): Promise<string> {
    const folder = join(scratch, `layer-${index}`);
    const target = `${folder}.tar`;
    await mkdir(folder);
    await archiveLayer(layer, folder, target, { cachePath: path, debianRoot: () => debianRoot(root) });
    return target;
}

/** Folder of these files on the nodes' mirror, below the file server's root. */
export function runtimeFiles(version: string = versions.containerd) {
    return {
        containerd: `containerd/v${version}/containerd-static-${version}-linux-amd64.tar.gz`,
        runc: `runc/v${versions.runc}/runc.amd64`,
    };
}

/** containerd as fetched by machines whose OS does not include it, in the layout of its project's releases. */
function containerdItem(containerd: Part, group: string): Item {
    return {
        id: `containerd ${containerd.version} to be fetched`,
        group,
        lane: "other",
        needs: [itemId(containerd, "containerd"), itemId(parts.runc, "runc")],
        key: keyOf(containerd),
        how: "packing what machines have",
        tools: [],
        make: async ({ scratch, keep, path }) => {
            const bin = join(scratch, "bin");
            await mkdir(bin);
            const binaries = Object.keys(containerd.go.binaries).map((name) => path(binaryPlace(containerd, name)));
            await run("cp", [...binaries, bin]);
            const archive = join(scratch, "containerd.tar.gz");
            const reproducible = ["--sort=name", "--mtime=@1", "--owner=0", "--group=0"];
            const packed = ["--use-compress-program=gzip -1n", "-C", scratch, "-cf", archive, "bin"];
            await run("tar", [...reproducible, ...packed]);
            const place = `files/${runtimeFiles(containerd.version).containerd}` as const;
            await keep(archive, place);
            return { source: "built", places: [place] };
        },
    };
}

/** The group of versions that such machines are upgraded to in tests. */
export const otherRuntime = "other-container-runtime";

/** The group of versions that such machines boot with. */
export const firstRuntime = "container-runtime";

const runtimeItems: readonly Item[] = [
    containerdItem(parts.containerd, firstRuntime),
    containerdItem(testParts.otherContainerd, otherRuntime),
];

import { imageItem } from "./image-items";
import type { Item } from "./item";
import {
    ETCD_VERSIONS,
    type EtcdVersion,
    etcd,
    KUBERNETES_VERSIONS,
    type KubernetesVersion,
    kubernetes,
    parts,
    testParts,
    versions,
} from "./lock";
import { nodeItem, pauseItem } from "./other-items";
import { partItems } from "./part-items";
import { pythonItem } from "./python-item";
import { commonRecipes, etcdRecipe, kubernetesRecipes } from "./recipes";
import { debianItem, machineItem } from "./rootfs";
import { runtimeItems } from "./runtime-item";
import { testRecipes } from "./test-recipes";

/** Everything a cluster of these versions needs, in the order in which it is best begun. */
export function itemsFor(
    kubernetesVersions: readonly KubernetesVersion[] = KUBERNETES_VERSIONS,
    etcdVersions: readonly EtcdVersion[] = ETCD_VERSIONS,
): Item[] {
    // The default one is among the parts.
    const otherEtcds = etcdVersions.filter((version) => version !== versions.etcd);
    return [
        debianItem,
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

/** What only tests need. */
export function testItems(): Item[] {
    return [
        ...Object.values(testParts).flatMap((part) => partItems(part)),
        pythonItem(),
        ...runtimeItems,
        ...Object.entries(testRecipes()).flatMap(([group, recipes]) =>
            recipes.map((recipe) => imageItem(recipe, group)),
        ),
    ];
}

/** The items of some groups, and those they need, in the same order. */
export function selectItems(items: readonly Item[], groups: readonly string[]): Item[] {
    const known = [...new Set(items.map(({ group }) => group))];
    const unknown = groups.find((group) => !known.includes(group));
    if (unknown !== undefined) {
        throw new Error(`--only must be one of ${known.join(", ")}, got ${unknown}`);
    }
    const wanted = new Set<string>();
    const want = (item: Item) => {
        wanted.add(item.id);
        items.filter(({ id }) => item.needs?.includes(id) && !wanted.has(id)).forEach(want);
    };
    items.filter(({ group }) => groups.includes(group)).forEach(want);
    return items.filter(({ id }) => wanted.has(id));
}

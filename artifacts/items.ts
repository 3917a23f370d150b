import { imageItem } from "./image-items";
import type { Item } from "./item";
import { KUBERNETES_VERSIONS, type KubernetesVersion, kubernetes, parts, testParts } from "./lock";
import { nodeItem, pauseItem } from "./other-items";
import { partItems } from "./part-items";
import { commonRecipes, kubernetesRecipes } from "./recipes";
import { debianItem, machineItem } from "./rootfs";

/** Everything a cluster of these Kubernetes versions needs, in the order in which it is best begun. */
export function itemsFor(versions: readonly KubernetesVersion[] = KUBERNETES_VERSIONS): Item[] {
    return [
        debianItem,
        ...Object.values(parts).flatMap((part) => partItems(part)),
        pauseItem,
        nodeItem,
        machineItem,
        ...versions.flatMap((version) => partItems(kubernetes(version))),
        ...[...commonRecipes(), ...versions.flatMap(kubernetesRecipes)].map(imageItem),
    ];
}

/** What only tests need. */
export function testItems(): Item[] {
    return Object.values(testParts).flatMap((part) => partItems(part));
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

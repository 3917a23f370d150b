import { type EtcdVersion, type KubernetesVersion, missingPrerequisites, versions } from "../artifacts";
import type { Item } from "../artifacts/item";
import { itemsFor } from "../artifacts/items";
import { CacheRecord } from "../artifacts/record";
import type { MissingProgram } from "./packages";

/** What of the artifacts of these versions the cache does not have. */
export async function missingArtifacts(
    kubernetes: KubernetesVersion,
    etcd: EtcdVersion = versions.etcd,
): Promise<Item[]> {
    const record = await CacheRecord.open();
    const missing: Item[] = [];
    for (const item of itemsFor([kubernetes], [etcd])) {
        if (!(await record.isIntact(item.id, item.key))) {
            missing.push(item);
        }
    }
    return missing;
}

/** The programs that making them takes and that this computer does not have. */
export function missingTools(items: readonly Item[]): MissingProgram[] {
    const tools = items.length === 0 ? [] : missingPrerequisites(items);
    return tools.map((tool) => ({ command: tool.command, debian: tool.package }));
}

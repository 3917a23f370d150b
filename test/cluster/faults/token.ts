import { powerCut } from "../../../machines";
import type { Fault, Scene } from "./fault";

/** Bootstrap tokens that existed, by cluster, to restore them afterwards. */
const taken = new Map<string, object>();
const selector = ["--field-selector", "type=bootstrap.kubernetes.io/token"];

async function take({ cluster }: Scene): Promise<void> {
    const { items } = await cluster.get<{ items: { metadata: { name: string; namespace: string } }[] }>(
        ...["secrets", "-n", "kube-system", ...selector],
    );
    if (items.length > 0) {
        const kept = items.map(({ metadata: { name, namespace }, ...rest }) => ({
            ...rest,
            metadata: { name, namespace },
        }));
        taken.set(cluster.name, { apiVersion: "v1", kind: "List", items: kept });
    }
    await cluster.kubectl("-n", "kube-system", "delete", "secrets", ...selector);
}

/** What the token cleaner does when they expire: a node that has joined no longer needs its token. */
export const tokenFaults: readonly Fault[] = [
    {
        name: "tokens-gone",
        about: "all bootstrap tokens are removed, and then a machine loses power",
        target: "node",
        group: "power",
        inject: async (scene, machine) => {
            await take(scene);
            await powerCut(scene.cluster.name, machine);
        },
        heal: async ({ cluster }) => {
            const secrets = taken.get(cluster.name);
            if (secrets) await cluster.apply(secrets);
            taken.delete(cluster.name);
        },
    },
];

import { signerName } from "../../../../../agents/nodes/approver/identify";
import type { NodePools } from "../../../../../agents/nodes/approver/plan";
import type { SigningRequest } from "../../../../../clients/kubernetes/signing-requests";
import { nodeApproverPlan } from "../../../../../cluster/manifests/nodes/node-approver";
import { resolveCluster } from "../../../../../cluster/resolve";
import { csr } from "./csr";

export const plan = nodeApproverPlan(resolveCluster({ name: "c" }));

export const instance = (index: number) => `i-${String(index).padStart(17, "0")}`;
export const domain = ".eu-central-1.compute.internal";

/** Two controllers, two workers named by the stack, and a group. */
export const pools: NodePools = {
    pools: {
        controller: { nodes: ["c-controller-0", "c-controller-1"] },
        a: { nodes: ["c-a-0", "c-a-1"] },
        g: { group: "c-g" },
    },
    instances: {
        ec2: "https://ec2.eu-central-1.amazonaws.com",
        region: "eu-central-1",
        namePattern: "^i-[0-9a-f]{17}(\\.eu-central-1\\.compute\\.internal)?$",
        domain,
    },
};

export const poolGroup = (pool: string) => `system:bootstrappers:tradewind-pool:${pool}`;
export const nodeGroup = (node: string) => `system:bootstrappers:tradewind-node:${node}`;

export interface Asked {
    readonly pool?: string;
    readonly node?: string;
    readonly text?: string;
    readonly groups?: readonly string[];
    readonly usages?: readonly string[];
    readonly signer?: string;
    readonly username?: string;
}

/** A kubelet's request with the token of a pool. */
export function asked({
    pool = "a",
    node = "c-a-0",
    text = csr(`system:node:${node}`),
    groups = [poolGroup(pool)],
    usages = ["digital signature", "client auth"],
    signer = signerName,
    username,
}: Asked = {}): SigningRequest {
    return {
        metadata: { name: `node-csr-${node}`, resourceVersion: "1" },
        spec: {
            request: Buffer.from(text).toString("base64"),
            signerName: signer,
            groups: ["system:bootstrappers", ...groups, "system:authenticated"],
            usages,
            ...(username && { username }),
        },
    };
}

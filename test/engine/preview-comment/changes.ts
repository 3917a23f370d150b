import type { CloudName } from "../paper/clouds";

export interface Change {
    readonly name: string;
    readonly config: Readonly<Record<string, unknown>>;
    /** What the comment has to say. */
    readonly says: readonly RegExp[];
    /** The preview fails. */
    readonly isRefused?: boolean;
    /** Another state than `up` left: the text of one that is exported. */
    readonly aged?: (state: string) => string;
}

export interface Reviewed {
    readonly config: Readonly<Record<string, unknown>>;
    readonly changes: readonly Change[];
}

/** Clusters, and what is changed of each; the engine's events of each change lie recorded under its name. */
export const reviewed: Readonly<Record<CloudName, Reviewed>> = {
    aws: {
        config: {
            "aws:region": "eu-central-1",
            "tradewind:controllers": { count: 3 },
            "tradewind:kubernetesVersion": "1.35.4",
            "tradewind:pools": [
                { name: "default", count: 2 },
                { name: "fresh", count: 3, instanceRefresh: {} },
            ],
        },
        changes: [
            {
                name: "upgrade",
                config: { "tradewind:kubernetesVersion": "1.36.3" },
                says: [
                    /\| `kube-apiserver`.* \| 1\.35\.4 \| 1\.36\.3 \|/,
                    /1\. \*\*kube-apiserver\*\*[\s\S]*6\. \*\*the kubelets of fresh\*\*[\s\S]*7\. \*\*the machines of test-fresh\*\*/,
                    /`test-fresh` \| its 3 machines are made anew/,
                    /^@@ test-default-config, test-fresh-config @@$/m,
                    /^ \/opt\/tradewind\/kubelet\/kubelet\.env changes:$/m,
                ],
            },
            {
                name: "larger-controllers",
                config: { "tradewind:controllers": { count: 3, instanceType: "m7i.large" } },
                says: [
                    /`test-controller-2` \| stopped for another size, by instanceType .* \| one of 3 controllers at a time is drained/,
                ],
            },
            {
                name: "refused",
                config: { "tradewind:domain": "no domain" },
                isRefused: true,
                says: [/domain must be .*, got no domain/],
            },
        ],
    },
    digitalocean: {
        config: {
            "tradewind:region": "fra1",
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
            "tradewind:pools": [{ name: "default", count: 2 }, { name: "old" }],
        },
        changes: [
            {
                name: "other-pools",
                config: {
                    "tradewind:pools": [
                        { name: "default", count: 3 },
                        { name: "other", size: "s-4vcpu-8gb" },
                    ],
                },
                says: [/`test-old-0` \| goes/, /`test-default-2` \| comes/],
            },
            {
                name: "larger-controllers",
                config: { "tradewind:controllers": { size: "s-4vcpu-8gb" } },
                says: [/`test-controller-0` \| stopped for another size/],
            },
            {
                name: "refused",
                config: { "tradewind:domain": "no domain" },
                isRefused: true,
                says: [/domain must be .*, got no domain/],
            },
        ],
    },
};

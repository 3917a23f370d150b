import type { CloudName } from "../paper/clouds";

export interface Change {
    readonly name: string;
    readonly config: Readonly<Record<string, unknown>>;
    /** What the comment has to contain. */
    readonly says: readonly RegExp[];
    /** The preview fails. */
    readonly isRefused?: boolean;
    /** The golden file of the final output of `pulumi preview`. @default none */
    readonly terminal?: string;
    /** Another state than the one of `up`: the text of an exported one. */
    readonly aged?: (state: string) => string;
}

export interface Reviewed {
    readonly config: Readonly<Record<string, unknown>>;
    readonly changes: readonly Change[];
}

/** Clusters, and changes of each; the engine's events of each change are recorded under its name. */
export const reviewed: Readonly<Partial<Record<CloudName, Reviewed>>> = {
    aws: {
        config: {
            "aws:region": "eu-central-1",
            "tradewind:controllers": { count: 3 },
            "tradewind:kubernetesVersion": "1.35.4",
            "tradewind:workerPools": [
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
                    /`test-fresh` \| its 3 machines are replaced/,
                    /^@@ test-default-config, test-fresh-config @@$/m,
                    /^ \/opt\/tradewind\/kubelet\/kubelet\.env changed:$/m,
                ],
            },
            {
                name: "larger-controllers",
                config: { "tradewind:controllers": { count: 3, instanceType: "m7i.large" } },
                says: [
                    /`test-controller-2` \| stopped to be resized \(instanceType .*\) \| one of 3 controllers at a time is drained/,
                ],
            },
            {
                name: "refused",
                config: { "tradewind:domain": "no domain" },
                isRefused: true,
                says: [/domain must be .* \(got no domain\)/],
            },
            {
                name: "skipped-minor",
                config: { "tradewind:kubernetesVersion": "1.36.3" },
                isRefused: true,
                terminal: "refused-skipped-minor",
                aged: (state) => state.replaceAll(/(?<=\/kube-apiserver:v)1\.35\.4(@sha256:\w+)?/g, "1.34.6"),
                says: [
                    /test can't go from Kubernetes 1\.34\.6 to 1\.36\.3:/,
                    /minor versions\s+cannot\s+be\s+skipped\s+\(got\s+1\.36\.3/,
                ],
            },
            {
                name: "warnings",
                config: {
                    "tradewind:components": { kubeScheduler: { "no-such-flag": "1" } },
                    "tradewind:upgradeOverrides": ["flags"],
                },
                aged: withShortCertificate,
                says: [
                    /^\*\*Warnings\*\*$/m,
                    /certificates expire soon:\n +kube-apiserver expires on \S+, in 29 days: change certificates\.generation\s+to\s+another\s+number/,
                    /kubeScheduler\.no-such-flag must be a flag of kube-scheduler 1\.35 \(got\n {4}no-such-flag.*\(upgradeOverrides: flags\)/,
                    /1\. \*\*kube-scheduler\*\*/,
                ],
            },
        ],
    },
    digitalocean: {
        config: {
            "tradewind:region": "fra1",
            "tradewind:image": "170000001",
            "tradewind:sshKeys": ["42"],
            "tradewind:workerPools": [{ name: "default", count: 2 }, { name: "old" }],
        },
        changes: [
            {
                name: "other-pools",
                config: {
                    "tradewind:workerPools": [
                        { name: "default", count: 3 },
                        { name: "other", size: "s-4vcpu-8gb" },
                    ],
                },
                says: [/`test-old-0` \| removed/, /`test-default-2` \| added/],
            },
            {
                name: "larger-controllers",
                config: { "tradewind:controllers": { size: "s-4vcpu-8gb" } },
                says: [/`test-controller-0` \| stopped to be resized/],
            },
            {
                name: "refused",
                config: { "tradewind:domain": "no domain" },
                isRefused: true,
                says: [/domain must be .* \(got no domain\)/],
            },
        ],
    },
};

/** The apiserver's certificate expires in 29 days, as after eleven months. */
function withShortCertificate(text: string): string {
    const state = JSON.parse(text);
    const own = state.deployment.resources.filter(({ urn }: { urn: string }) =>
        /LocallySignedCert::test-kube-apiserver$/.test(urn),
    );
    for (const { outputs } of own) outputs.validityEndTime = new Date(Date.now() + 29.5 * 86_400_000).toISOString();
    return JSON.stringify(state);
}

import assert from "node:assert/strict";
import { admissionProblems, type Observation } from "../../../../components/admission/judge";
import { webhook } from "./sample";

const observed = (change: Partial<Observation> = {}): Observation => ({
    trials: [],
    webhooks: [],
    labels: { "kube-system": {}, "kube-node-lease": {} },
    limitRanges: [],
    seconds: 3,
    ...change,
});
const refused = (refusal: string) => [{ words: "pods of kube-apiserver", refusal }];
const fails = '500: Internal error occurred: failed calling webhook "all.example.com": service "hook" not found';
const podsOnly = { rules: [{ apiGroups: [""], operations: ["CREATE"], resources: ["pods"] }] };
const mutating = { kind: "MutatingWebhookConfiguration", configuration: "mesh", name: "inject.example.com" } as const;
const shapes = (admitted: Record<string, Record<string, string>>) => [
    {
        words: "pods of kube-apiserver",
        shapes: { sent: { "kube-apiserver": {}, haproxy: { memory: "1Gi" } }, admitted },
    },
];

const cases: [string, Observation, string[]][] = [
    ["all was admitted", observed({ trials: [{ words: "nodes" }] }), []],
    ["a refusal is not about admission", observed({ trials: refused("409: the object has been modified") }), []],
    [
        "a webhook does not answer: one problem, however much it refuses",
        observed({
            trials: [...refused(fails), { words: "leases of nodes", refusal: fails }],
            webhooks: [webhook({ hasEndpoints: false })],
        }),
        [
            `blocks: the webhook all.example.com (ValidatingWebhookConfiguration all) fails, so the API refuses pods of kube-apiserver and leases of nodes: service "hook" not found → remove it: kubectl delete validatingwebhookconfiguration all; or make it fail open: kubectl patch validatingwebhookconfiguration all --type=json -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]'`,
        ],
    ],
    [
        "a webhook denies: that it fails open would not help",
        observed({
            trials: refused('403: admission webhook "all.example.com" denied the request: no'),
            webhooks: [webhook({ service: undefined, hasEndpoints: undefined })],
        }),
        [
            "blocks: the webhook all.example.com (ValidatingWebhookConfiguration all) refuses pods of kube-apiserver: no → remove it: kubectl delete validatingwebhookconfiguration all",
        ],
    ],
    [
        "nothing answers, and a webhook is called for it",
        observed({
            trials: [{ words: "nodes", isSilent: true }],
            webhooks: [webhook({ failsClosed: false, service: undefined, hasEndpoints: undefined })],
        }),
        [
            "blocks: the webhook all.example.com (ValidatingWebhookConfiguration all) is called for nodes, and a dry run got no response within 3 s → remove it: kubectl delete validatingwebhookconfiguration all",
        ],
    ],
    [
        "nothing answers, and no webhook is called for it",
        observed({ trials: [{ words: "nodes", isSilent: true }] }),
        [],
    ],
    [
        "a webhook for what was not tried has no backend",
        observed({ webhooks: [webhook({ ...podsOnly, hasEndpoints: false })] }),
        [
            `blocks: the webhook all.example.com (ValidatingWebhookConfiguration all) cannot respond, so the API refuses pods of kube-system: its Service policies/hook has no endpoints → remove it: kubectl delete validatingwebhookconfiguration all; or make it fail open: kubectl patch validatingwebhookconfiguration all --type=json -p '[{"op":"replace","path":"/webhooks/0/failurePolicy","value":"Ignore"}]'`,
        ],
    ],
    [
        "a webhook without a backend fails open, or is called for some objects alone",
        observed({
            webhooks: [
                webhook({ hasEndpoints: false, failsClosed: false }),
                webhook({ hasEndpoints: false, isSelective: true }),
            ],
        }),
        [],
    ],
    [
        "a webhook is served by the cluster that needs it",
        observed({ webhooks: [webhook({ ...podsOnly, index: 2 })] }),
        [
            `risk: the webhook all.example.com (ValidatingWebhookConfiguration all) is called for pods of kube-system and runs as pods of the cluster (Service policies/hook): while they are down, as after a power failure, nothing else can start → exclude kube-system and kube-node-lease with its namespaceSelector, or make it fail open: kubectl patch validatingwebhookconfiguration all --type=json -p '[{"op":"replace","path":"/webhooks/2/failurePolicy","value":"Ignore"}]'`,
        ],
    ],
    [
        "a policy denies",
        observed({ trials: refused("422: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no") }),
        [
            "blocks: the ValidatingAdmissionPolicyBinding b refuses pods of kube-apiserver: no → remove it: kubectl delete validatingadmissionpolicybinding b",
        ],
    ],
    [
        "a quota is used up",
        observed({ trials: refused("403: is forbidden: exceeded quota: q, requested: pods=1") }),
        [
            "blocks: the ResourceQuota q of kube-system refuses pods of kube-apiserver: exceeded quota: q, requested: pods=1 → remove it: kubectl -n kube-system delete resourcequota q",
        ],
    ],
    [
        "a LimitRange refuses",
        observed({
            trials: refused("403: is forbidden: maximum cpu usage per Container is 50m.  No limit is specified"),
            limitRanges: ["l", "m"],
        }),
        [
            "blocks: the LimitRange l or m of kube-system refuses pods of kube-apiserver: maximum cpu usage per Container is 50m.  No limit is specified → remove it: kubectl -n kube-system delete limitrange l m",
        ],
    ],
    [
        "a LimitRange limits what has no limit",
        observed({
            trials: shapes({ "kube-apiserver": { memory: "64Mi" }, haproxy: { memory: "1024Mi" } }),
            limitRanges: ["l"],
        }),
        [
            "limits: the LimitRange l of kube-system limits containers of the control plane that have no such limit: kube-apiserver memory 64Mi → remove it: kubectl -n kube-system delete limitrange l",
        ],
    ],
    [
        "a webhook adds a container",
        observed({
            trials: shapes({ "kube-apiserver": {}, haproxy: { memory: "1Gi" }, proxy: { cpu: "1" } }),
            webhooks: [webhook({ isSelective: true }), webhook({ ...mutating, isSelective: true, failsClosed: false })],
        }),
        [
            "alters: the webhook inject.example.com (MutatingWebhookConfiguration mesh) adds containers to pods of the control plane: proxy → exclude kube-system with its namespaceSelector, or remove it: kubectl delete mutatingwebhookconfiguration mesh",
        ],
    ],
    [
        "Pod Security is enforced by a label",
        observed({
            trials: refused('403: is forbidden: violates PodSecurity "restricted:latest": host namespaces'),
            labels: { "kube-system": { "pod-security.kubernetes.io/enforce": "restricted" } },
        }),
        [
            'blocks: the label pod-security.kubernetes.io/enforce of kube-system refuses pods of kube-apiserver: violates PodSecurity "restricted:latest": host namespaces → allow them: kubectl label namespace kube-system pod-security.kubernetes.io/enforce-',
        ],
    ],
    [
        "Pod Security is enforced by the API's own configuration",
        observed({ trials: refused('403: is forbidden: violates PodSecurity "baseline:latest": host namespaces') }),
        [
            'blocks: Pod Security refuses pods of kube-apiserver: violates PodSecurity "baseline:latest": host namespaces → allow them: kubectl label namespace kube-system pod-security.kubernetes.io/enforce=privileged --overwrite',
        ],
    ],
];

describe("what keeps a control plane from writing", () => {
    for (const [title, observation, expected] of cases) {
        it(`${expected.length === 0 ? "is nothing" : "is told"} when ${title}`, () => {
            const told = admissionProblems(observation).map(
                ({ effect, message, advice }) => `${effect}: ${message} → ${advice}`,
            );
            assert.deepEqual(told, expected);
        });
    }
});

import type { Machine } from "../../cluster/keys/credentials";
import type { Manifest } from "../../cluster/manifest";
import { addons } from "../../cluster/manifests/addons";
import { awsCloudController, awsCsiDriver } from "../../cluster/manifests/addons/aws";
import { autoscalerFlags, clusterAutoscaler } from "../../cluster/manifests/addons/cluster-autoscaler";
import { digitalOceanCloudController, digitalOceanCsiDriver } from "../../cluster/manifests/addons/digitalocean";
import { controlPlane, controlPlaneBase } from "../../cluster/manifests/control-plane";
import { placeholderCredentials } from "../../cluster/manifests/control-plane/placeholder";
import { secretsRewrite } from "../../cluster/manifests/control-plane/secrets-rewrite";
import { selfHostedEtcd } from "../../cluster/manifests/etcd/etcd";
import { etcdCertificateJob, etcdCertificatesProgram } from "../../cluster/manifests/etcd/etcd-certificates";
import { etcdJoinDeployment, etcdJoinProgram } from "../../cluster/manifests/etcd/etcd-join";
import { etcdKeeper } from "../../cluster/manifests/etcd/etcd-keeper";
import { etcdUpdateJob } from "../../cluster/manifests/etcd/etcd-update";
import { etcdStaticPod } from "../../cluster/manifests/etcd/member";
import { wantedNodes } from "../../cluster/manifests/nodes/desired-nodes";
import { selfHostedKubelet } from "../../cluster/manifests/nodes/kubelet-pods";
import { nodeAgent } from "../../cluster/manifests/nodes/node-agent";
import { nodeApprover } from "../../cluster/manifests/nodes/node-approver";
import { nodeCleaner } from "../../cluster/manifests/nodes/node-cleaner";
import { nodeRemovalAccount, nodeRemovalJob } from "../../cluster/manifests/nodes/node-removal";
import { rebootApprover } from "../../cluster/manifests/nodes/reboot-approver";
import { servingApprover } from "../../cluster/manifests/nodes/serving-approver";
import { resolveCluster } from "../../cluster/resolve";
import { inRows, markdownTable } from "./markdown-table";
import { awsOperator, awsOperatorAlways, digitalOceanOperator } from "./operator-rights";
import { podRights } from "./pod-rights";
import { instanceRights } from "./rights-of-instances";

/** Who may do what in a cluster, as Markdown. */
export function rightsReference(): string {
    const sections = (head: string[], rowsOf: typeof apiRights) =>
        Object.entries(inCluster).map(([where, manifests]) => {
            const rows = rowsOf(manifests).map((row) => row.map((cell) => cell.replaceAll("c-controller-0", "<node>")));
            return rows.length > 0 ? `### ${where}\n\n${markdownTable(head, rows)}\n` : "";
        });
    return (
        [
            INTRODUCTION,
            "## What may be asked of the API\n",
            ...sections(["Who", "Namespace", "May"], apiRights),
            "## What pods have of their nodes\n",
            ...sections(["Pod of", "Runs as", "Of the node", "Files of the node"], podRights),
            IN_CLOUDS,
            "### Instances on AWS\n",
            INSTANCES,
            `${markdownTable(["Who", "With", "May", "On", "If"], instanceRights())}\n`,
            "### Who runs Pulumi, on AWS\n",
            OPERATOR_ON_AWS,
            `${markdownTable(["For", "Calls"], operatorRows({ "all of them": awsOperatorAlways, ...awsOperator }))}\n`,
            "### Who runs Pulumi, on DigitalOcean\n",
            OPERATOR_ON_DIGITALOCEAN,
            `${markdownTable(["For", "Scopes of the token"], operatorRows(digitalOceanOperator))}\n`,
        ]
            .filter((part) => part !== "")
            .join("\n")
            // Headings of one page have to differ, for links to tell them apart.
            .replaceAll(/^### (.+)$/gm, numbered())
    );
}

function operatorRows(rights: Readonly<Record<string, readonly string[]>>): string[][] {
    return Object.entries(rights).flatMap(([type, calls]) =>
        inRows(calls).map((row, index) => [index > 0 ? "" : /\s/.test(type) ? type : `\`${type}\``, row]),
    );
}

/** The second heading of a name says what it is about. */
function numbered(): (line: string, name: string) => string {
    const seen = new Set<string>();
    return (line, name) => {
        const isAgain = seen.has(name);
        seen.add(name);
        return isAgain ? `${line}: pods` : line;
    };
}

const INTRODUCTION = `# Reference of rights

What the cluster's own programs may do, what they have of the machines that they run on, and what the cloud has to allow. Made by \`npm run reference\` from the
manifests themselves: not to be edited. What it means: [security](security.md). An account without a namespace beside it is of kube-system; a row
without a name goes on with the one above it.

Some agents have no account: checkpointer, node-agent and etcd-certificates act as their node's kubelet, etcd-join and etcd-update ask
etcd alone, by their member's certificate.
`;

const IN_CLOUDS = `## What may be asked of the cloud
`;

const INSTANCES = `Made of the policies that the stack gives to the roles of instances. A role is a machine's: AWS knows no pods, so whoever may run a
pod on the host's network of a controller has what controllers have. _With_ is the option that has it given. The cluster's tag is
\`kubernetes.io/cluster/<cluster>: owned\`; what the stack made has \`tradewind.dev/cluster\` beside. A droplet on DigitalOcean has no identity.
`;

const OPERATOR_ON_AWS = `What the credentials need with which \`pulumi up\` runs, by the resource or function of \`@pulumi/aws\` that a stack may have: to make, look at,
change and delete it. A stack has only some of them: \`pulumi preview\` lists which. A test sees to it that no resource is missing; **the calls were written from AWS' documentation and tried on no account**. What is refused there is named in the error. A destroy of a dead
cluster calls [more](cloud-controllers.md#destroy-of-a-dead-cluster).
`;

const OPERATOR_ON_DIGITALOCEAN = `The same for the token of \`pulumi up\`, by resources of \`@pulumi/digitalocean\`; from DigitalOcean's reference of scopes, **and as little tried**.
`;

interface Rule {
    readonly resources: readonly string[];
    readonly resourceNames?: readonly string[];
    readonly verbs: readonly string[];
}

interface Binding {
    readonly roleRef: { readonly kind: string; readonly name: string };
    readonly subjects: readonly { readonly kind: string; readonly name: string }[];
}

/** Who may do what with the API, by the roles and bindings among objects: a row for each rule, named in the first one of a binding. */
export function apiRights(manifests: readonly Manifest[]): string[][] {
    const roles = manifests.filter(({ kind }) => ["Role", "ClusterRole"].includes(kind));
    return manifests
        .filter(({ kind }) => ["RoleBinding", "ClusterRoleBinding"].includes(kind))
        .flatMap((manifest) => {
            const { namespace } = manifest.metadata;
            const { roleRef, subjects } = manifest as unknown as Binding;
            const own = roles.find(
                ({ kind, metadata }) =>
                    kind === roleRef.kind &&
                    metadata.name === roleRef.name &&
                    (kind === "ClusterRole" || metadata.namespace === namespace),
            );
            const may = own
                ? (own.rules as Rule[]).map(inWords)
                : [`what Kubernetes' ${roleRef.kind} \`${roleRef.name}\` has`];
            const who = [subjects.map(subject).join(", "), namespace ?? "everywhere"];
            return may.map((each, index) => [...(index === 0 ? who : ["", ""]), each]);
        });
}

function subject({ kind, name }: Binding["subjects"][number]): string {
    return kind === "ServiceAccount" ? `\`${name}\`` : `${kind.toLowerCase()} \`${name}\``;
}

function inWords({ verbs, resources, resourceNames }: Rule): string {
    const named = resourceNames ? ` (${resourceNames.map((name) => `\`${name}\``).join(", ")})` : "";
    return `${verbs.join(", ")} ${resources.map((name) => `\`${name}\``).join(", ")}${named}`;
}

const cluster = resolveCluster({ name: "c", workerPools: [{ name: "default" }] });
const rebooting = resolveCluster({ name: "c", osReboots: { windows: ["Sun 02:00-05:00"] } });
const download = { urls: [], sha256: "" };
const downloads = { kubelet: download, cniPlugins: download };
const pool = { downloads, maxUnavailable: 1 };
const fetched = { ...pool, downloads: { ...downloads, containerRuntime: { containerd: download, runc: download } } };
const node = cluster.controllers.names[0]!;
const machine: Machine = { name: node, address: "10.0.0.11" };
const region = { region: "region" };

/** What clusters run, with everything that one may ask for: by where it is, all of their objects. */
export const inCluster: Readonly<Record<string, readonly Manifest[]>> = {
    "Every cluster": [
        ...controlPlane(cluster, placeholderCredentials(cluster)),
        etcdStaticPod(cluster, { machine, initialCluster: "", initialClusterState: "new" }),
        ...controlPlaneBase(cluster, ""),
        ...nodeApprover(cluster, placeholderCredentials(cluster), { agent: "" }),
        ...nodeAgent(cluster, { ...pool, pool: "default" }, ""),
        ...etcdKeeper(cluster, ""),
        ...nodeRemovalAccount(),
        ...wantedNodes(cluster),
        nodeRemovalJob(cluster),
        etcdJoinDeployment(cluster, node, etcdJoinProgram("")),
        etcdUpdateJob(cluster, node, "etcd-update"),
        ...addons(cluster),
    ],
    "Where it is asked for": [
        ...nodeAgent(rebooting, { ...fetched, pool: "controller" }, ""),
        ...selfHostedKubelet(cluster),
        ...selfHostedEtcd(cluster, ""),
        ...rebootApprover(cluster, { windows: [] }, ""),
        ...servingApprover(cluster, ""),
        ...secretsRewrite(cluster, ""),
        etcdCertificateJob(cluster, node, etcdCertificatesProgram("")),
    ],
    AWS: [
        ...nodeCleaner(cluster, { namePattern: "", ...region }, ""),
        ...servingApprover(cluster, "", { ec2: "", namePattern: "", groups: [], ...region }),
        ...awsCloudController(cluster, region),
        ...awsCsiDriver(cluster, region),
        ...clusterAutoscaler(cluster, { ...region, autoscalerFlags: autoscalerFlags({}, "") }),
    ],
    DigitalOcean: [...digitalOceanCloudController(cluster), ...digitalOceanCsiDriver(cluster)],
};

import { apiRights } from "./api-rights";
import { awsOperator, awsOperatorAlways } from "./aws-operator";
import { digitalOceanOperator } from "./digitalocean-operator";
import { inCluster } from "./in-cluster";
import { inRows } from "./in-rows";
import { instanceRights } from "./instance-rights";
import { markdownTable } from "./markdown-table";
import { podRights } from "./pod-rights";

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

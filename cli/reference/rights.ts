import { apiRights } from "./api-rights";
import { inCluster } from "./in-cluster";
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
        ]
            .filter((part) => part !== "")
            .join("\n")
            // Headings of one page have to differ, for links to tell them apart.
            .replaceAll(/^### (.+)$/gm, numbered())
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

What the cluster's own programs may do, and what they have of the machines that they run on. Made by \`npm run reference\` from the
manifests themselves: not to be edited. What it means: [security](security.md). An account without a namespace beside it is of kube-system; a row
without a name goes on with the one above it.

Some agents have no account: checkpointer, node-agent and etcd-certificates act as their node's kubelet, etcd-join and etcd-update ask
etcd alone, by their member's certificate.
`;

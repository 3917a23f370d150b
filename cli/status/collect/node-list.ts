import { type Call, type Caller, list } from "../../../clients/kubernetes/api-client";
import { ifFound } from "../../../clients/kubernetes/api-error";
import { isReady, type List, type Node } from "../../../clients/kubernetes/objects";

/** As kubectl lists nodes: names of images are most of a Node. A quarter of the bytes, a third of the CPU time. */
const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io, application/json";

/** Source: Kubernetes, pkg/printers/internalversion/printers.go, printNode. */
interface Table extends Omit<List<never>, "items"> {
    readonly columnDefinitions: readonly { readonly name: string }[];
    readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Pick<Node, "metadata"> }[];
}

/** Up to this number, nodes that are not Ready are read one by one. */
const few = 20;

/** All nodes: whole ones of those that are not Ready, and of the others what a table shows. */
export async function readNodes(api: Caller, call: Call): Promise<readonly Node[]> {
    const tables: Caller = {
        call: async <T>(path: string) =>
            fromTable(await api.call<Table | List<Node>>(path, { ...call, accept: asTable })) as T,
    };
    const nodes = await list<Node>(tables, "/api/v1/nodes?limit=1000");
    const unready = nodes.filter(({ status }) => !isReady(status));
    // In pages: each has a timeout of its own.
    if (unready.length > few) return list<Node>(api, "/api/v1/nodes?limit=500", call);
    const reread = await Promise.all(
        nodes.map((node) =>
            isReady(node.status) ? node : ifFound(api.call<Node>(`/api/v1/nodes/${node.metadata.name}`, call)),
        ),
    );
    return reread.filter((node) => node !== undefined);
}

function fromTable(answer: Table | List<Node>): List<Node> {
    if (!("rows" in answer)) return answer;
    const names = answer.columnDefinitions.map(({ name }) => name);
    const items = answer.rows.map(({ cells, object }): Node => {
        const cell = (name: string) => String(cells[names.indexOf(name)]);
        const states = cell("Status").split(",");
        const address = cell("Internal-IP");
        return {
            metadata: object.metadata,
            spec: { unschedulable: states.includes("SchedulingDisabled") },
            status: {
                conditions: [{ type: "Ready", status: states[0] === "Ready" ? "True" : "Unknown" }],
                addresses: address === "<none>" ? [] : [{ type: "InternalIP", address }],
                nodeInfo: { kubeletVersion: cell("Version") },
            },
        };
    });
    return { items, metadata: answer.metadata };
}

/** What a person follows of a node while its cluster changes. */
export interface NodeView {
    readonly name: string;
    /** Plain: 1.36.3. */
    readonly kubelet: string;
    readonly isReady: boolean;
    readonly isCordoned: boolean;
}

/** What happened to nodes from one look to the next, a line each. */
export function nodeChanges(before: readonly NodeView[], after: readonly NodeView[]): string[] {
    const seen = new Map(before.map((node) => [node.name, node]));
    const lines = after.flatMap((node) => {
        const was = seen.get(node.name);
        return was === undefined ? [`${node.name} joined`] : changesOf(was, node, after);
    });
    const gone = before.filter(({ name }) => !after.some((node) => node.name === name));
    return [...lines, ...gone.map(({ name }) => `${name} is gone`)];
}

function changesOf(was: NodeView, is: NodeView, all: readonly NodeView[]): string[] {
    const alike = all.filter(({ kubelet }) => kubelet === is.kubelet).length;
    return [
        ...(is.isCordoned && !was.isCordoned ? [`${is.name} takes no new pods, and is drained`] : []),
        ...(is.kubelet === was.kubelet
            ? []
            : [
                  `${is.name} has the kubelet ${is.kubelet} in the place of ${was.kubelet}: ${alike} of ${all.length} nodes`,
              ]),
        ...(is.isReady === was.isReady ? [] : [`${is.name} is ${is.isReady ? "Ready again" : "not Ready"}`]),
        ...(was.isCordoned && !is.isCordoned ? [`${is.name} takes pods again`] : []),
    ];
}

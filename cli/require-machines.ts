/** Throws if machines that the stack made are not among those that there are: no `up` would bring them back. */
export function requireMachines(cluster: string, nodes: readonly string[], present: readonly string[]): void {
    const gone = nodes.filter((node) => !present.includes(node));
    if (gone.length > 0) {
        const option = cluster === "local" ? "" : ` --name ${cluster}`;
        throw new Error(
            `the machines ${gone.join(", ")} are in the stack's state, but not on this computer any more:\n` +
                `  npm start -- --destroy${option}   and then npm start again`,
        );
    }
}

import { list } from "../machines";

/** Throws if machines that the stack made are not there any more: no `up` would bring them back. */
export async function requireMachines(cluster: string, nodes: readonly string[]): Promise<void> {
    const present = new Set((await list(cluster)).map(({ name }) => name));
    const gone = nodes.filter((node) => !present.has(node));
    if (gone.length > 0) {
        const option = cluster === "local" ? "" : ` --name ${cluster}`;
        throw new Error(
            `the machines ${gone.join(", ")} are in the stack's state, but not on this computer any more:\n` +
                `  npm start -- --destroy${option}   and then npm start again`,
        );
    }
}

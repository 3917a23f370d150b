import { isNotFound } from "../../common/api-error";
import { listLeaving, type Node, namesOf } from "../nodes";
import type { Run, Step } from "../run";
import { tryApiUntil } from "../try-until";

/** The API knows only nodes that are wanted, and so do those who send pods and packets there. */
export const deleteNodes: Step = {
    name: "delete-nodes",
    run: async (run) => {
        let message = "not needed";
        await tryApiUntil(run, "the nodes that leave to be deleted", async () => {
            const leaving = await listLeaving(run);
            await Promise.all(leaving.map((node) => deleteNode(run, node)));
            message = leaving.length === 0 ? message : `deleted ${namesOf(leaving)}`;
            return undefined;
        });
        return message;
    },
};

async function deleteNode({ api }: Run, { metadata }: Node): Promise<void> {
    try {
        await api.call(`/api/v1/nodes/${metadata.name}`, { method: "DELETE" });
    } catch (error) {
        if (!isNotFound(error)) {
            throw error;
        }
    }
}

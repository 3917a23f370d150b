import { met } from "../shared/behaviours";
import { required, text } from "../shared/inputs";
import type { Deletion, Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { urnsIn } from "./project-resources";

/** The provider's default if the program sets no `customTimeouts`, in seconds. Source: its `resource_project.go`. */
const defaultDeleteTimeout = 180;

/** A project, with a name that no other one has. */
export const project: Simulated<Account> = {
    inputs: {
        name: text("1 to 175 characters", /^.{1,175}$/, required),
        description: text("at most 255 characters", /^.{0,255}$/),
        purpose: text("at most 255 characters", /^.{0,255}$/),
        environment: text("development, staging or production", /^(development|staging|production)$/i),
    },
    outputs: ["createdAt", "isDefault", "ownerId", "ownerUuid", "resources", "updatedAt"],
    updated: ["updatedAt"],
    async create(account, inputs) {
        const name = String(inputs.name);
        requireFree(account, name);
        const id = account.newId("projects");
        account.put("projects", id, { name });
        const createdAt = new Date().toISOString();
        const owner = { ownerId: 258_992, ownerUuid: "99525febec065ca37b2ffe4f852fd2b2581895e7" };
        return { id, outputs: { ...owner, createdAt, updatedAt: createdAt, isDefault: false, resources: [] } };
    },
    async update(account, id, inputs) {
        const name = String(inputs.name);
        requireFree(account, name, id);
        account.put("projects", id, { name });
        return { updatedAt: new Date().toISOString() };
    },
    async delete(account, id, { timeout }: Pick<Deletion, "timeout"> = { timeout: 0 }) {
        if (urnsIn(account, id).length > 0) {
            met("project in use");
            // The provider repeats it until its timeout.
            account.wait(timeout || defaultDeleteTimeout);
            throw new Error(`Error deleting project (${id}): 412 cannot delete a project with resources`);
        }
        account.remove("projects", id);
    },
    now: (account, id) => ({ resources: urnsIn(account, id) }),
};

function requireFree(account: Account, name: string, own?: string): void {
    const isTaken = Object.entries(account.projects).some(([id, each]) => each === name && id !== own);
    if (!isTaken) return;
    throw new Error("POST https://api.digitalocean.com/v2/projects: 409 name is already in use (duplicate)");
}

import { invalidOption } from "../../usage-error";
import { type Access, askForge, askPages } from "./ask-forge";
import type { Forge } from "./forge";

interface Note {
    readonly id: number;
    readonly body: string;
    readonly author: { readonly id: number };
}

/**
 * The merge request of a job of GitLab's CI. The job's own token may not write there.
 *
 * Source: GitLab's REST API of notes, and its predefined variables.
 */
export function gitlabOf(env: Readonly<Record<string, string | undefined>>): Forge {
    const { CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: number, GITLAB_TOKEN: token } = env;
    if (!number) throw invalidOption("--post", "given in a pipeline of a merge request", "another one");
    if (!token) throw invalidOption("GITLAB_TOKEN", "a token of the scope api", "nothing");
    const access: Access = { url: env.CI_API_V4_URL!, headers: { "private-token": token } };
    const notes = `/projects/${project}/merge_requests/${number}/notes`;
    return {
        place: `merge request ${number} of ${env.CI_PROJECT_PATH ?? project}`,
        async own() {
            const { id: own } = await askForge<{ id: number }>(access, "GET", "/user");
            const all = await askPages<Note>(access, notes);
            return all.filter(({ author }) => author.id === own).map(({ id, body }) => ({ id, text: body }));
        },
        create: (body) => askForge(access, "POST", notes, { body }),
        update: (id, body) => askForge(access, "PUT", `${notes}/${id}`, { body }),
    };
}

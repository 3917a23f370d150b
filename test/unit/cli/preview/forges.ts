import type { Kind } from "./forge-on-paper";

/** GitHub, or a compatible forge. @param job - the account of a job's own token */
const githubOf = (job: string, more: Pick<Kind, "viewer" | "pageSize">): Kind => {
    const logins: Readonly<Record<number, string>> = { 0: job, 3: "another-app[bot]" };
    return {
        path: "/repos/o/r/issues/12/comments",
        one: (id) => `/repos/o/r/issues/comments/${id}`,
        header: "authorization",
        accounts: { "Bearer job": 0, "Bearer person": 7 },
        reported: ({ id, by, body }) => ({ id, body, user: { login: logins[by] ?? `user-${by}` } }),
        ...more,
    };
};
export const github = githubOf("github-actions[bot]", { viewer: "github-actions[bot]", pageSize: 2 });
export const app = githubOf("an-app[bot]", { viewer: "an-app[bot]", pageSize: 2 });
/** A forge whose job tokens cannot look up their account, without pagination. */
export const gitea = githubOf("gitea-actions", {});
export const gitlab: Kind = {
    path: "/projects/34/merge_requests/5/notes",
    one: (id) => `/projects/34/merge_requests/5/notes/${id}`,
    header: "private-token",
    accounts: { person: 7 },
    reported: ({ id, by, body }) => ({ id, body, author: { id: by } }),
    pageSize: 2,
};

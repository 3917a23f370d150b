import { readFileSync } from "node:fs";
import { invalidOption } from "../../usage-error";
import { type Access, askForge, askPages, ForgeError } from "./ask-forge";
import type { Forge } from "./forge";

type Environment = Readonly<Record<string, string | undefined>>;

interface Comment {
    readonly id: number;
    readonly body: string;
    readonly user: { readonly login: string };
}

/** Accounts of jobs' own tokens, where they may not be asked for at all. */
const JOBS = ["github-actions[bot]", "gitea-actions", "forgejo-actions"];

/**
 * The pull request of a job of GitHub Actions, or of what is like it: Gitea's and Forgejo's.
 *
 * Source: GitHub's REST API of issues' comments, GraphQL's `viewer`, and the variables of Actions.
 */
export function githubOf(env: Environment): Forge {
    const repository = env.GITHUB_REPOSITORY ?? "";
    const number = numberOf(env);
    const token = env.GITHUB_TOKEN || env.GH_TOKEN;
    if (!token) throw invalidOption("GITHUB_TOKEN", "a token that may write comments of pull requests", "nothing");
    const access: Access = {
        url: env.GITHUB_API_URL || "https://api.github.com",
        headers: { authorization: `Bearer ${token}` },
    };
    const issues = `/repos/${repository}/issues`;
    return {
        place: `pull request ${number} of ${repository}`,
        async own() {
            const accounts = await accountsOf(access, env.GITHUB_GRAPHQL_URL || `${access.url}/graphql`);
            const all = await askPages<Comment>(access, `${issues}/${number}/comments`);
            return all.filter(({ user }) => accounts.includes(user.login)).map(({ id, body }) => ({ id, text: body }));
        },
        create: (body) => askForge(access, "POST", `${issues}/${number}/comments`, { body }),
        update: (id, body) => askForge(access, "PATCH", `${issues}/comments/${id}`, { body }),
    };
}

function numberOf({ GITHUB_REF = "", GITHUB_EVENT_PATH }: Environment): string {
    const [, number] = /^refs\/pull\/(\d+)\//.exec(GITHUB_REF) ?? [];
    if (number) return number;
    const event = GITHUB_EVENT_PATH ? JSON.parse(readFileSync(GITHUB_EVENT_PATH, "utf8")) : {};
    const { number: told } = event.pull_request ?? {};
    if (!told) throw invalidOption("--post", "given in a job of a pull request", `one of ${GITHUB_REF || "nothing"}`);
    return String(told);
}

/** Whose token it is. GitHub tells a person by REST, and an app, as a job's own token is one's, by GraphQL alone. */
async function accountsOf(access: Access, graphql: string): Promise<readonly string[]> {
    const user = await unlessRefused(askForge<{ login: string }>(access, "GET", "/user"));
    if (user) return [user.login];
    const query = { query: "{ viewer { login } }" };
    const told = await unlessRefused(askForge<Viewer>({ ...access, url: graphql }, "POST", "", query));
    const login = told?.data?.viewer?.login;
    return login ? [login] : JOBS;
}

interface Viewer {
    readonly data?: { readonly viewer?: { readonly login?: string } | null } | null;
}

async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
    try {
        return await answer;
    } catch (error) {
        if (error instanceof ForgeError && [401, 403, 404, 405].includes(error.status)) return undefined;
        throw error;
    }
}

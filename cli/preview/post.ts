import { readFileSync } from "node:fs";
import { ask } from "../../clients/http";
import { invalidOption, UsageError } from "../../command-line/parse";
import { readInput } from "../../command-line/read-input";
import { isComment, isOfNothing } from "./render/comment";

type Environment = Readonly<Record<string, string | undefined>>;

interface Comment {
    readonly id: number;
    readonly body: string;
    readonly user: { readonly login: string };
}

/** Accounts of job tokens that cannot look up their own account. */
const JOBS = ["github-actions[bot]", "gitea-actions", "forgejo-actions"];

/**
 * The pull request of a job in GitHub Actions or compatible ones: Gitea's and Forgejo's.
 *
 * Source: GitHub's REST API for issue comments, GraphQL's `viewer`, and the variables of Actions.
 */
function githubOf(env: Environment): Forge {
    const repository = env.GITHUB_REPOSITORY ?? "";
    const number = numberOf(env);
    const token = env.GITHUB_TOKEN || env.GH_TOKEN;
    if (!token) throw invalidOption("GITHUB_TOKEN", "a token with permission to comment on pull requests", "nothing");
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
    const { number: inEvent } = event.pull_request ?? {};
    if (!inEvent)
        throw new UsageError(`--post requires a job of a pull request (got one of ${GITHUB_REF || "nothing"})`);
    return String(inEvent);
}

/** The account of the token. GitHub reports users over REST, but apps, including jobs' own tokens, over GraphQL only. */
async function accountsOf(access: Access, graphql: string): Promise<readonly string[]> {
    const user = await unlessRefused(askForge<{ login: string }>(access, "GET", "/user"));
    if (user) return [user.login];
    const query = { query: "{ viewer { login } }" };
    const answer = await unlessRefused(askForge<Viewer>({ ...access, url: graphql }, "POST", "", query));
    const login = answer?.data?.viewer?.login;
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

/** A forge's API, with credentials. */
interface Access {
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
}

/** An error response of a forge, with its status. */
class ForgeError extends Error {
    override readonly name = "ForgeError";

    constructor(
        message: string,
        readonly status: number,
    ) {
        super(message);
    }
}

/** Requests JSON. Errors contain the forge's message, but no credentials. */
async function askForge<T>({ url, headers }: Access, method: string, path: string, body?: object): Promise<T> {
    const sent = body && { body: JSON.stringify(body) };
    const type = body && { "content-type": "application/json" };
    const all = { "user-agent": "tradewind", accept: "application/json", ...headers, ...type };
    const { status, text } = await ask(`${url}${path}`, { method, headers: all, ...sent }, 30_000);
    if (status < 200 || status > 299) throw new ForgeError(`${method} ${path}: ${status} ${said(text)}`, status);
    try {
        return JSON.parse(text) as T;
    } catch {
        throw new ForgeError(`${method} ${path}: ${status}, but no JSON: ${said(text)}`, status);
    }
}

/** All pages of a list. A forge without pagination returns the same page again. */
async function askPages<T extends { readonly id: number }>(access: Access, path: string): Promise<T[]> {
    const all = new Map<number, T>();
    for (let page = 1; ; page++) {
        const some = await askForge<T[]>(access, "GET", `${path}?per_page=100&page=${page}`);
        const isNew = some.some(({ id }) => !all.has(id));
        for (const each of some) all.set(each.id, each);
        if (!isNew) return [...all.values()];
    }
}

function said(text: string): string {
    try {
        const { message, error } = JSON.parse(text);
        return JSON.stringify(message ?? error).slice(0, 300);
    } catch {
        return text.trim().slice(0, 300);
    }
}

/** A comment by the job's own account. */
interface OwnComment {
    readonly id: number;
    readonly text: string;
}

/** The comments on the pull request of a job. */
interface Forge {
    /** Readable, such as `pull request 12 of owner/repository`. */
    readonly place: string;
    /** Comments by the token's own account: others' are never changed. */
    own(): Promise<readonly OwnComment[]>;
    create(text: string): Promise<void>;
    update(id: number, text: string): Promise<void>;
}

interface Note {
    readonly id: number;
    readonly body: string;
    readonly author: { readonly id: number };
}

/**
 * The merge request of a GitLab CI job. The job's own token cannot write comments.
 *
 * Source: GitLab's REST API for notes, and its predefined variables.
 */
function gitlabOf(env: Readonly<Record<string, string | undefined>>): Forge {
    const { CI_PROJECT_ID: project, CI_MERGE_REQUEST_IID: number, GITLAB_TOKEN: token } = env;
    if (!number) throw new UsageError("--post requires a merge request pipeline");
    if (!token) throw invalidOption("GITLAB_TOKEN", "a token with the scope api", "nothing");
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

/** The pull request of the current CI job. Throws `<what> must be <legal> (got <value>)`. */
export function forgeOf(env: Readonly<Record<string, string | undefined>>): Forge {
    if (env.GITLAB_CI) return gitlabOf(env);
    if (env.GITHUB_REPOSITORY) return githubOf(env);
    throw new UsageError("--post requires a CI job of GitHub, Gitea, Forgejo or GitLab");
}

/**
 * Posts a file's comment on the pull request, or updates the existing one. @returns what it did. A change that affects no
 * stack gets no comment, but an existing one is updated to say so.
 */
export async function post(file: string, forgeNow: () => Forge): Promise<string> {
    const text = readInput("--post", file).toString("utf8");
    if (text === "") return `nothing to post: ${file} is empty`;
    if (!isComment(text)) throw invalidOption("--post", "a file written by tradewind preview", file);
    const forge = forgeNow();
    const [mark] = text.split("\n", 1);
    const before = (await forge.own()).find((each) => each.text.startsWith(mark!));
    if (before) {
        await forge.update(before.id, text);
        return `updated the comment on ${forge.place}`;
    }
    if (isOfNothing(text)) return `no comment on ${forge.place}: no stack is affected`;
    await forge.create(text);
    return `commented on ${forge.place}`;
}

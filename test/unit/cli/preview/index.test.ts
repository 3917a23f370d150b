import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { forgeOf, post } from "../../../../cli/preview/post";
import { comment } from "../../../../cli/preview/render/comment";
import { type ForgeOnPaper, forgeOnPaper, type Kind } from "./forge-on-paper";
import { app, gitea, github, gitlab } from "./forges";

const of = (project: string) => comment([{ stack: "prod", failure: "why" }], { project, limit: 65_536, rest: "" });
const none = comment([], { project: "p", limit: 65_536, rest: "" });

type Environment = Readonly<Record<string, string>>;

const onGithub = (url: string, token: string): Environment => ({
    GITHUB_REPOSITORY: "o/r",
    GITHUB_REF: "refs/pull/12/merge",
    GITHUB_API_URL: url,
    GITHUB_TOKEN: token,
});
const onGitlab = (url: string, token: string): Environment => ({
    GITLAB_CI: "true",
    CI_API_V4_URL: url,
    CI_PROJECT_ID: "34",
    CI_PROJECT_PATH: "o/r",
    CI_MERGE_REQUEST_IID: "5",
    GITLAB_TOKEN: token,
});

const forges: [string, Kind, Environment | ((url: string, token: string) => Environment), string, number][] = [
    ["GitHub, by the job's token", github, onGithub, "job", 0],
    ["GitHub, with a user's token", github, onGithub, "person", 7],
    ["GitHub, by an app's token", app, onGithub, "job", 0],
    ["a GitHub-compatible forge, without pagination and GraphQL", gitea, onGithub, "job", 0],
    ["the same, with a user's token", gitea, onGithub, "person", 7],
    ["GitLab", gitlab, onGitlab, "person", 7],
];

describe("a comment on a pull request", () => {
    let folder: string;
    let file: string;
    let forge: ForgeOnPaper;

    before(() => {
        folder = mkdtempSync(join(tmpdir(), "tradewind-post-"));
        file = join(folder, "comment.md");
    });
    after(() => rmSync(folder, { recursive: true }));
    afterEach(() => forge?.close());

    for (const [title, kind, environment, token, account] of forges) {
        it(`is created once and updated by later runs: ${title}`, async () => {
            forge = await forgeOnPaper(kind);
            const env = (environment as typeof onGithub)(forge.url, token);
            const run = (text: string) => {
                writeFileSync(file, text);
                return post(file, () => forgeOf(env));
            };
            // Another account's comment with the same mark, and more than one page of others.
            for (const by of [3, 4, 3]) forge.comments.push({ id: forge.comments.length + 1, by, body: of("p") });
            assert.match(await run(none), /^no comment on .*: no stack is affected$/);
            assert.equal(forge.comments.length, 3);
            assert.match(await run(of("p")), /^commented on (pull|merge) request \d+ of o\/r$/);
            assert.match(await run(of("q")), /^commented/);
            assert.match(await run(none), /^updated the comment/);
            const own = forge.comments.filter(({ by }) => by === account).map(({ body }) => body);
            assert.deepEqual(own, [none, of("q")]);
            assert.ok(forge.comments.slice(0, 3).every(({ body }) => body === of("p")));
        });
    }

    it("fails without permission, and does not reveal the token", async () => {
        forge = await forgeOnPaper(github);
        writeFileSync(file, of("p"));
        const error = await post(file, () => forgeOf(onGithub(forge.url, "wrong"))).catch((each: Error) => each);
        assert.equal(
            String(error),
            'ForgeError: GET /repos/o/r/issues/12/comments?per_page=100&page=1: 401 "Bad credentials"',
        );
    });

    it("is not created by what is no forge, such as a proxy's page", async () => {
        const proxy = createServer((_, answer) => answer.end("<html>Log in</html>")).listen(0, "127.0.0.1");
        await once(proxy, "listening");
        const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
        writeFileSync(file, of("p"));
        try {
            await assert.rejects(
                post(file, () => forgeOf(onGithub(url, "hush"))),
                { name: "ForgeError", message: "GET /user: 200, but no JSON: <html>Log in</html>" },
            );
        } finally {
            proxy.close();
        }
    });

    it("is not created if nothing was previewed", async () => {
        writeFileSync(file, "");
        assert.match(await post(file, () => assert.fail()), /^nothing to post/);
    });

    it("is not created from another file", async () => {
        writeFileSync(file, "# Read me");
        const what = /^--post must be a file written by tradewind preview \(got /;
        await assert.rejects(
            post(file, () => assert.fail()),
            { message: what, exitCode: 2 },
        );
        const missing = post(join(folder, "missing.md"), () => assert.fail());
        await assert.rejects(missing, { message: /^--post must be a readable file \(got / });
    });

    it("uses the event's pull request if the ref contains none", async () => {
        forge = await forgeOnPaper(github);
        const event = join(folder, "event.json");
        writeFileSync(event, JSON.stringify({ pull_request: { number: 12 } }));
        writeFileSync(file, of("p"));
        const env = { ...onGithub(forge.url, "job"), GITHUB_REF: "refs/heads/main", GITHUB_EVENT_PATH: event };
        assert.equal(await post(file, () => forgeOf(env)), "commented on pull request 12 of o/r");
    });

    const refused: [string, Environment, string][] = [
        ["without a CI", {}, "--post requires a CI job of GitHub, Gitea, Forgejo or GitLab"],
        [
            "on a branch",
            { ...onGithub("http://x", "t"), GITHUB_REF: "refs/heads/main" },
            "--post requires a job of a pull request (got one of refs/heads/main)",
        ],
        [
            "without a token",
            onGithub("http://x", ""),
            "GITHUB_TOKEN must be a token with permission to comment on pull requests (got nothing)",
        ],
        [
            "without GitLab's token",
            onGitlab("http://x", ""),
            "GITLAB_TOKEN must be a token with the scope api (got nothing)",
        ],
        [
            "on a GitLab branch",
            { ...onGitlab("http://x", "t"), CI_MERGE_REQUEST_IID: "" },
            "--post requires a merge request pipeline",
        ],
    ];
    for (const [title, env, message] of refused) {
        it(`is rejected ${title}`, () => assert.throws(() => forgeOf(env), { message, exitCode: 2 }));
    }
});

import { readFileSync } from "node:fs";
import { invalidOption } from "../../usage-error";
import { isComment, isOfNothing } from "../render/comment";
import type { Forge } from "./forge";
import { githubOf } from "./github";
import { gitlabOf } from "./gitlab";

/** The pull request of the CI job that this is. Throws `<what> must be <legal>, got <value>`. */
export function forgeOf(env: Readonly<Record<string, string | undefined>>): Forge {
    if (env.GITLAB_CI) return gitlabOf(env);
    if (env.GITHUB_REPOSITORY) return githubOf(env);
    throw invalidOption("--post", "given in a job of GitHub's, Gitea's, Forgejo's or GitLab's CI", "none of them");
}

function read(file: string): string {
    try {
        return readFileSync(file, "utf8");
    } catch (error) {
        throw invalidOption("--post", "a file that can be read", `${file}: ${(error as Error).message}`);
    }
}

/**
 * Puts a file's comment on the pull request, or in the place of the one that is there; what it did, for people. A change that
 * touches no stack gets none, but one that is there says so.
 */
export async function post(file: string, forgeNow: () => Forge): Promise<string> {
    const text = read(file);
    if (text === "") return `nothing to post: ${file} is empty`;
    if (!isComment(text)) throw invalidOption("--post", "a file that tradewind preview wrote", file);
    const forge = forgeNow();
    const [mark] = text.split("\n", 1);
    const before = (await forge.own()).find((each) => each.text.startsWith(mark!));
    if (before) {
        await forge.update(before.id, text);
        return `updated the comment on ${forge.place}`;
    }
    if (isOfNothing(text)) return `no comment on ${forge.place}: no stack is touched`;
    await forge.create(text);
    return `commented on ${forge.place}`;
}

import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { run } from "../artifacts/command";
import { goFolder } from "../artifacts/go-build";
import { kubernetes } from "../artifacts/lock";
import { command, commandGroup } from "../command-line/command";
import { UsageError } from "../command-line/parse";
import { PROJECT_DIR } from "../local/pulumi";
import { ETCD_VERSIONS, KUBERNETES_VERSIONS, versions } from "../versions";
import { addValues } from "./reference/value-table";

const { binaries } = kubernetes(versions.kubernetes).go;

/** `npm run add-version`: the steps of another Kubernetes or etcd version that need no judgement. */
const program = commandGroup({
    name: "npm run add-version --",
    about: "Writes the files of another version of Kubernetes or etcd. artifacts/README.md has all the steps.",
    commands: {
        modules: {
            summary: "create the folder with go.mod and go.sum of a Kubernetes version",
            load: (name, about) =>
                command(
                    {
                        name,
                        about,
                        usage: "VERSION FOLDER",
                        options: {},
                        words: ["VERSION FOLDER", "1.37.2 kubernetes-1.37"],
                    },
                    async (_, [version = "", folder = ""]) => {
                        await createModules(version, goFolder(folder));
                        return 0;
                    },
                ),
        },
        values: {
            summary: "add the feature gates, APIs, admission plugins and controllers of versions in the cache",
            load: (name, about) =>
                command(
                    {
                        name,
                        about,
                        usage: "VERSION...",
                        options: {},
                        words: ["VERSION", [...KUBERNETES_VERSIONS, ...ETCD_VERSIONS].join(", ")],
                    },
                    async (_, asked) => {
                        await addValues(asked);
                        return 0;
                    },
                ),
        },
    },
});
export const main = program.run;

/** A folder that pins a Kubernetes release, and all its staging modules at the same version. */
async function createModules(version: string, cwd: string): Promise<void> {
    const [, patch] = /^1\.(\d+\.\d+(?:-\w+\.\d+)?)$/.exec(version) ?? [];
    if (patch === undefined)
        throw new UsageError(`VERSION must be a Kubernetes release, such as 1.37.2 (got ${version})`);
    if (existsSync(cwd)) throw new UsageError(`FOLDER must not exist (got ${basename(cwd)})`);
    const go = (...args: string[]) => run("go", args, { cwd });
    const { GoMod } = JSON.parse(
        await run("go", ["mod", "download", "-json", `k8s.io/kubernetes@v${version}`], { cwd: PROJECT_DIR }),
    );
    const goMod = readFileSync(GoMod, "utf8");
    mkdirSync(cwd);
    await go("mod", "init", `tradewind/${basename(cwd)}`);
    const staging = [...goMod.matchAll(/^\t(k8s\.io\/\S+) => \.\/staging\//gm)].map(([, path]) => path!);
    await go(
        "mod",
        "edit",
        `-go=${/^go (.+)$/m.exec(goMod)![1]}`,
        ...staging.map((path) => `-replace=${path}=${path}@v0.${patch}`),
    );
    await go("get", "-tool", ...Object.values(binaries).map((path) => `${path}@v${version}`));
}

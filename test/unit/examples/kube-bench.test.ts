import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { paths } from "../../../cluster/paths";
import { cisTargets, cisVariables } from "../../../dev/reference/cis";

const root = resolve(__dirname, "../../..");
const folder = join(root, "examples/kube-bench");
const readme = readFileSync(join(folder, "README.md"), "utf8");
const config = parse(readFileSync(join(folder, "cfg/config.yaml"), "utf8"));
/** Directories of the machine in kube-bench's container. */
const mounts = [...readme.matchAll(/-v (\/\S+):\1:ro/g)].map(([, path]) => path!);
const isBelow = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`);

describe("the example of kube-bench", () => {
    it("has its words behind the subcommand that takes targets", () => {
        const page = readFileSync(join(root, "docs/cis.md"), "utf8");
        const commands = [readme, page].flatMap((text) => [
            ...text.replaceAll("\\\n", "").matchAll(/^ {4}.*(?:aquasec\/)?kube-bench +(\S+) .*--benchmark (\S+)/gm),
        ]);
        assert.equal(commands.length, 3);
        for (const [, subcommand, benchmark] of commands) {
            assert.equal(subcommand, "run");
            assert.deepEqual(config.target_mapping[benchmark!], ["master", "node", "etcd", "controlplane", "policies"]);
            for (const target of cisTargets) assert.ok(existsSync(join(folder, "cfg", benchmark!, `${target}.yaml`)));
        }
    });

    it("looks on a worker for no program that only controllers run", () => {
        const { components, ...programs } = config.node;
        const required = components.filter((name: string) => !programs[name].optional);
        assert.deepEqual(
            required.flatMap((name: string) => programs[name].bins),
            ["kubelet"],
        );
    });

    it("mounts every place that its checks read, and hides none of its image's", () => {
        const places = cisTargets.flatMap((target) => Object.values(cisVariables(target)).flat());
        assert.ok(places.includes(paths.kubeconfig) && places.includes(paths.ca));
        for (const place of [...places, paths.kubelets, paths.etcdMemberData]) {
            assert.ok(
                mounts.some((mount) => isBelow(place, mount)),
                place,
            );
        }
        // Its image starts ./entrypoint.sh there.
        assert.deepEqual(
            mounts.filter((mount) => isBelow("/opt/kube-bench", mount)),
            [],
        );
    });
});

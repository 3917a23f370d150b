import assert from "node:assert/strict";
import { mergeConfig } from "../../../local/stack-config";
import { whatNext } from "../../../local/summary";

const files = { kubeconfig: "/state/kubeconfig", kubectl: "/cache/kubectl" };

function told(name: string, choices: object, before?: string): string[] {
    return whatNext({ name, config: mergeConfig(name, {}, choices), before, ...files }).split("\n");
}

describe("the next steps", () => {
    it("begin with the state of the cluster", () => {
        const [first] = told("local", { controllers: 3, workers: 1, kubernetes: "1.36.3" });
        assert.equal(first, "The cluster local is up: Kubernetes 1.36.3, 3 controllers and 1 worker. Next steps:");
    });

    it("say that nodes wait for the CNI that users install", () => {
        const config = mergeConfig("local", {}, { cni: "none" });
        const text = whatNext({ name: "local", config, withoutCni: ["c", "w"], ...files });
        assert.match(
            text,
            /1 worker\. Not Ready until you install a CNI \(docs\/cni\.md#your-own\): c, w\. Next steps:/,
        );
    });

    it("export what kubectl needs where a proxy is set", () => {
        const config = mergeConfig("local", {}, {});
        const text = whatNext({ name: "local", config, ...files, noProxy: "a,172.30.0.0/24" });
        assert.match(text, /^ {2}export NO_PROXY=a,172\.30\.0\.0\/24$/m);
        assert.doesNotMatch(told("local", {}).join("\n"), /PROXY/);
    });

    it("contain the version before an upgrade, but not an unchanged one", () => {
        const first = (before: string) => told("local", { kubernetes: "1.36.3" }, before)[0];
        assert.match(first("1.35.4")!, /Kubernetes 1\.36\.3, 1\.35\.4 before, 1 controller/);
        assert.doesNotMatch(first("1.36.3")!, /before/);
    });

    it("suggest one more worker", () => {
        const offered = (workers: number) => told("local", { workers }).find((line) => /add a worker/.test(line));
        assert.match(offered(2)!, /npm start -- --workers 3 /);
        assert.match(offered(0)!, /npm start -- --workers 1 /);
    });

    it("name a cluster other than local in each command, and align descriptions", () => {
        const commands = told("blue", {}).filter((line) => /^ {2}npm/.test(line));
        assert.equal(commands.length, 4);
        assert.ok(commands.every((line) => line.includes("--name blue")));
        const columns = commands.map((line) => line.search(/(?<= {3})\S/));
        assert.equal(new Set(columns).size, 1);
    });
});

import assert from "node:assert/strict";
import { argumentsFor, minutes, outcomeOf, Progress, requireSpecs } from "../../../../dev/conformance/ginkgo";

const spec = (text: string, more: object = {}) => ({
    ContainerHierarchyTexts: ["[sig-network] DNS"],
    LeafNodeText: text,
    LeafNodeType: "It",
    State: "passed",
    ...more,
});

describe("a run of Kubernetes' end-to-end tests", () => {
    it("counts specs from ginkgo's output, and reports those that fail", () => {
        const progress = new Progress();
        const lines = [
            "Will run 3 of 7579 specs",
            "• [5.321 seconds]",
            "S [SKIPPED] [0.001 seconds]",
            "• [FAILED] [60.123 seconds]",
            "[sig-network] DNS [It] should resolve",
        ];
        assert.deepEqual(
            lines.map((line) => progress.read(line)),
            [undefined, undefined, undefined, undefined, "failed: [sig-network] DNS [It] should resolve"],
        );
        assert.equal(progress.text, "2 of 3 specs ended, 1 failed");
    });

    it("reads the report: skipped specs count neither way, a failed set-up fails the run", () => {
        const outcome = outcomeOf([
            {
                RunTime: 61.5e9,
                SpecReports: [
                    spec("resolves"),
                    spec("resolves Services", { State: "failed", Failure: { Message: "no answer" } }),
                    spec("needs two clusters", { State: "skipped" }),
                    spec("", { ContainerHierarchyTexts: null, LeafNodeType: "SynchronizedBeforeSuite" }),
                    spec("", { ContainerHierarchyTexts: null, LeafNodeType: "ReportAfterSuite", State: "panicked" }),
                ],
            },
        ]);
        assert.deepEqual(outcome.passed, ["[sig-network] DNS resolves"]);
        assert.deepEqual(
            outcome.failed.map(({ name, message }) => `${name}: ${message}`),
            ["[sig-network] DNS resolves Services: no answer", "ReportAfterSuite: panicked"],
        );
        assert.equal(outcome.seconds, 61.5);
    });

    it("passes its own arguments to ginkgo, and the cluster's to the tests", () => {
        const session = {
            suite: { about: "", focus: "DNS", skip: "Slow" },
            kubeconfig: "/kubeconfig",
            folder: "/results",
            processes: 6,
            nodes: 2,
            say: () => undefined,
        };
        const all = argumentsFor(session);
        const end = all.indexOf("--");
        for (const each of ["--procs=6", "--focus=DNS", "--skip=Slow", "--junit-report=junit_01.xml"]) {
            assert.ok(all.indexOf(each) >= 0 && all.indexOf(each) < end, each);
        }
        for (const each of ["--kubeconfig=/kubeconfig", "--num-nodes=2"]) assert.ok(all.indexOf(each) > end, each);
    });

    it("prints times in minutes", () => {
        assert.equal(minutes(125_400), "2 min 5 s");
    });

    it("refuses a filter that selects other tests than it should", () => {
        const progress = new Progress();
        progress.read("Will run 2 of 7579 specs");
        const suite = { about: "", focus: "Netpol", specs: 47 };
        const selected = "the suite must select 47 tests of this Kubernetes version, but it selected 2";
        assert.throws(() => requireSpecs(suite, progress.specs), { message: selected });
        requireSpecs(suite, 47);
        requireSpecs({ about: "", focus: "a user's" }, 2);
    });
});

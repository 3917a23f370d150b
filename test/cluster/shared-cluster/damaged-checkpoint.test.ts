import { powerCut } from "../../../machines";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const home = "/etc/kubernetes/checkpoints/kube-system/kube-apiserver";
const isWhole = `cd ${home}/current && sha256sum --check --status sha256sums`;

/** The only damaged checkpoints are those of this test: none is left. */
const rewritten = () =>
    eventually(
        "a whole checkpoint alone",
        () => shared.exec(controller, `${isWhole} && ! ls ${home}/*/pod.json | xargs -n 1 wc -c | grep -q '^0 '`),
        240,
    );

describe("a damaged checkpoint of the only controller's apiserver", function () {
    this.timeout(900_000);

    before(() => sharedCluster());

    itLong("is rewritten from its pod", async () => {
        await shared.exec(controller, `${isWhole} && : >${home}/current/pod.json`);
        await rewritten();
    });

    itLong("gives way to the previous one at a boot, and is then rewritten", async () => {
        // One whose pod.json alone is damaged: the previous one refers to its volumes.
        await shared.exec(
            controller,
            `${isWhole} && cp -a $(readlink -f .) ${home}/0000000000000000 && : >pod.json && sync`,
        );
        await powerCut(shared.name, controller);
        await eventually("the API", () => shared.kubectl("get", "--raw", "/readyz", "--request-timeout=2s"), 180);
        await rewritten();
    });
});

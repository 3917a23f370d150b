import { seal } from "../../../agents/checkpointer/seal";
import { powerCut } from "../../../machines";
import { itLong } from "../../takes-long";
import { eventually } from "../cluster";
import { shared, sharedCluster } from "../shared";

const controller = `${shared.name}-controller-0`;
const home = "/etc/kubernetes/checkpoints/kube-system/kube-apiserver";
const previous = "0000000000000000";
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
        const metadata = JSON.parse(await shared.exec(controller, `cat ${home}/current/checkpoint.json`));
        const sealed = seal({ ...metadata, sha256: undefined, generation: previous });
        await shared.exec(
            controller,
            `${isWhole} && cp -a . ${home}/${previous} && cd ${home}/${previous}
            sed -i s/${metadata.generation}/${previous}/g pod.json
            echo ${Buffer.from(sealed).toString("base64")} | base64 --decode >checkpoint.json
            sums=$(sha256sum $(cut -d ' ' -f 3 sha256sums)) && echo "$sums" >sha256sums
            : >${home}/current/pod.json
            sync`,
        );
        await powerCut(shared.name, controller);
        await eventually("the API", () => shared.kubectl("get", "--raw", "/readyz", "--request-timeout=2s"), 180);
        await rewritten();
    });
});

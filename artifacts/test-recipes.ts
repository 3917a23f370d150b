import type { Layer } from "./layer";
import { base, PATH } from "./layers";
import { testParts } from "./lock";
import { itemId } from "./part-items";
import { program, type Recipe } from "./recipes";
import { volumeRecipes } from "./volume-recipes";

/** The group of images that only tests run. */
export const testImages = "test-images";

/** Those of them that a driver of volumes has, which take minutes to build. */
export const volumeImages = "volume-images";

/**
 * The certificate of who signs for simulated clouds, in the cache: `simulator/services/authority.ts` makes it, which has
 * to have done so before an image that trusts it is made.
 */
export const simulatedAuthority = "simulated-authority/ca.pem";

const { awsCloudController, clusterAutoscaler } = testParts;

/** AWS' cloud controller as it is built here: no official image has its tag. */
export const builtAwsCloudController = `registry.k8s.io/provider-aws/cloud-controller-manager:v${awsCloudController.version}`;

/** cluster-autoscaler as it is built here. */
export const builtClusterAutoscaler = `registry.k8s.io/autoscaling/cluster-autoscaler:v${clusterAutoscaler.version}`;

/** The images that only tests run, by their groups: they trust a simulated cloud as they do a real one. */
export function testRecipes(): Readonly<Record<string, readonly Recipe[]>> {
    const trusting: Layer = { binaries: { "/etc/ssl/certs/simulated-authority.pem": simulatedAuthority } };
    return { [testImages]: controllerRecipes(trusting), [volumeImages]: volumeRecipes(trusting) };
}

function controllerRecipes(trusting: Layer): Recipe[] {
    const name = "aws-cloud-controller-manager";
    return [
        {
            image: builtAwsCloudController,
            needs: [itemId(awsCloudController, name)],
            layers: [base, trusting, program(awsCloudController, name, `/usr/bin/${name}`)],
            config: { Entrypoint: [`/bin/${name}`], Env: [PATH] },
        },
        {
            image: builtClusterAutoscaler,
            needs: [itemId(clusterAutoscaler, "cluster-autoscaler")],
            // Its official image has it there, too.
            layers: [base, trusting, program(clusterAutoscaler, "cluster-autoscaler", "/cluster-autoscaler")],
            config: { Cmd: ["/cluster-autoscaler"], Env: [PATH], WorkingDir: "/" },
        },
    ];
}

import { base, PATH } from "./layers";
import { testParts } from "./lock";
import { itemId } from "./part-items";
import { program, type Recipe } from "./recipes";

/** The group of images that only tests run. */
export const testImages = "test-images";

/**
 * The certificate of who signs for simulated clouds, in the cache: `simulator/services/authority.ts` makes it, which has
 * to have done so before an image that trusts it is made.
 */
export const simulatedAuthority = "simulated-authority/ca.pem";

const { awsCloudController } = testParts;

/** AWS' cloud controller as it is built here: no official image has its tag. */
export const builtAwsCloudController = `registry.k8s.io/provider-aws/cloud-controller-manager:v${awsCloudController.version}`;

/** The images that only tests run: they trust a simulated cloud as they do a real one. */
export function testRecipes(): Recipe[] {
    const name = "aws-cloud-controller-manager";
    return [
        {
            image: builtAwsCloudController,
            needs: [itemId(awsCloudController, name)],
            layers: [
                base,
                { binaries: { "/etc/ssl/certs/simulated-authority.pem": simulatedAuthority } },
                program(awsCloudController, name, `/usr/bin/${name}`),
            ],
            config: { Entrypoint: [`/bin/${name}`], Env: [PATH] },
        },
    ];
}

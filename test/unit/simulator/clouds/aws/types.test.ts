import { types } from "../../../../../simulator/clouds/aws/types";
import { itHasTheTypesOf } from "../../plugins/sdk-types";

describe("the types of the simulated AWS", () => itHasTheTypesOf("@pulumi/aws", types));

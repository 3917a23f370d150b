import { types } from "../../../../simulator/aws/types";
import { itHasTheTypesOf } from "../sdk-types";

describe("the types of the simulated AWS", () => itHasTheTypesOf("@pulumi/aws", types));

import { serve } from "../protocol/serve";
import { kubernetes } from "./provider";

void serve(kubernetes());

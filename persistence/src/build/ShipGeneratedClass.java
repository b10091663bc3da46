import net.openhft.chronicle.hash.VanillaGlobalMutableState;
import net.openhft.chronicle.values.ValueModel;

import java.lang.reflect.Method;
import java.net.URI;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Writes into the given directory the class that Chronicle Map otherwise generates and compiles when it first opens a
 * map, which takes most of the time of a start. It looks for that class first, so that it is found in our jar. Run by
 * the build; when the library changes so that this fails, the build says so and goes on, and the start takes longer.
 */
final class ShipGeneratedClass {

    private static final String NAME = "VanillaGlobalMutableState$$Native";

    private ShipGeneratedClass() {
    }

    public static void main(final String[] args) {
        try {
            final ValueModel model = ValueModel.acquire(VanillaGlobalMutableState.class);
            final Method generate = Class.forName("net.openhft.chronicle.values.Generators")
                .getDeclaredMethod("generateNativeClass", ValueModel.class, String.class);
            generate.setAccessible(true);
            compile((String) generate.invoke(null, model, NAME), args[0]);
        } catch (final ReflectiveOperationException | RuntimeException e) {
            System.err.println("Chronicle Map's generated class is not shipped, starting will take longer: " + e);
        }
    }

    private static void compile(final String source, final String directory) {
        final URI uri = URI.create("string:///net/openhft/chronicle/hash/" + NAME + ".java");
        final JavaFileObject file = new SimpleJavaFileObject(uri, JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(final boolean ignoreEncodingErrors) {
                return source;
            }
        };
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final List<String> options = List.of(
            "-d", directory, "-cp", System.getProperty("java.class.path"), "-proc:none", "-nowarn", "-source", "17",
            "-target", "17", "-Xlint:-options");
        if (!compiler.getTask(null, null, null, options, null, List.of(file)).call()) {
            throw new IllegalStateException("it does not compile");
        }
    }
}
